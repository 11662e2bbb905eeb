import { IconChevronRight } from '@tabler/icons-react'
import type { FeedRun } from '#contract/feeds/runs/feed-runs.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { describeRun, describeTakenAway } from './feed-labels.ts'
import { FeedStatus } from './FeedStatus.tsx'
import { RunActions } from './RunActions.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Breadcrumb, file name, status, summary and actions. `run` is null while it loads. */
export function RunHeader({ run }: { run: FeedRun | null }) {
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/inventory/feeds">Feeds</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>{run === null ? 'Feed' : `Feed ${run.id}`}</bdi>
          </span>
        </nav>
        <div className="fc-title-row">
          <RecordHeading name={run?.fileName ?? 'Feed'} />
          {run && <FeedStatus of={run.status} isPill />}
        </div>
        <p aria-live="polite">
          <bdi>{run === null ? '' : summarize(run)}</bdi>
        </p>
        {run && (
          <p className="fc-small fc-faint">
            <Facts run={run} />
          </p>
        )}
      </div>
      <div className="fc-row fc-feed-actions">{run && <RunActions run={run} />}</div>
    </header>
  )
}

/** The expected changes or, for a finished run, the result. */
function summarize(run: FeedRun): string {
  const { status, appliedAt, appliedBy, undoneAt, undoneBy, skipped, notUndone } = run
  if (status === 'waiting') return 'Waiting for the second file. Nothing has changed yet.'
  if (status === 'reading') return 'Reading the file. Nothing has changed yet.'
  if (status === 'failed') return "The feed couldn't be completed."
  const sentence = `${describeRun(run)} ${describeTakenAway(run)}`.trim()
  if (status === 'canceled')
    return run.error === null ? `Canceled. Not applied: ${sentence}` : `Not applied. ${run.error}`
  if (status === 'undone' && undoneAt !== null) {
    const left = notUndone === 0 ? '' : ` ${count(notUndone, 'row', 'rows')} couldn't be undone.`
    return `Undone ${formatAgo(undoneAt)} by ${undoneBy ?? 'Forecourt'}.${left}`
  }
  if (status === 'applied' && appliedAt !== null) {
    const left = skipped === 0 ? '' : ` ${count(skipped, 'row', 'rows')} skipped.`
    return `Applied ${formatAgo(appliedAt)} by ${appliedBy ?? 'Forecourt'}. ${sentence}${left}`
  }
  return sentence
}

function Facts({ run }: { run: FeedRun }) {
  const { sourceName, mappingId, mappingName, mappingVersion, rows, unchanged, locked } = run
  const facts = [
    run.secondName === null ? null : `with ${run.secondName}`,
    sourceName,
    mappingId === null ? mappingName : null,
    run.createdBy === null
      ? `received ${formatAgo(run.createdAt)}`
      : `uploaded ${formatAgo(run.createdAt)} by ${run.createdBy}`,
    rows === 0 ? null : count(rows, 'row', 'rows'),
    unchanged === 0 ? null : `${unchanged.toLocaleString()} unchanged`,
    locked === 0 ? null : `${count(locked, 'locked value', 'locked values')} unchanged`,
    run.lotName === null ? null : `rows without a known dealer ID go to ${run.lotName}`,
  ].filter((fact) => fact !== null)
  const version = mappingVersion === null ? '' : `, version ${mappingVersion}`
  return (
    <>
      <bdi>{facts.join(' · ')}</bdi>
      {mappingId !== null && (
        <>
          {' · '}
          <Link
            to="/administration/provider-mappings/$id"
            params={{ id: mappingId }}
            search={run.isReadOnly ? {} : { run: run.id }}
          >
            <bdi>
              {mappingName ?? 'Mapping'}
              {version}
            </bdi>
          </Link>
        </>
      )}
    </>
  )
}
