import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FeedRun } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { describeRun } from './feed-labels.ts'
import { FeedStatus } from './FeedStatus.tsx'
import { RunActions } from './RunActions.tsx'

/** The way back, the file with its state, what it comes to in one sentence, and what can be done. Null while it loads. */
export function RunHeader({ run }: { run: FeedRun | null }) {
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/inventory/feeds">Feeds</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>{run === null ? 'Feed' : `Run ${run.id}`}</bdi>
          </span>
        </nav>
        <div className="fc-title-row">
          <h1>
            <bdi>{run?.fileName ?? 'Feed'}</bdi>
          </h1>
          {run && <FeedStatus of={run.status} isPill />}
        </div>
        <p aria-live="polite">
          <bdi>{run === null ? '' : tell(run)}</bdi>
        </p>
        {run && (
          <p className="fc-small fc-faint">
            <Where run={run} />
          </p>
        )}
      </div>
      <div className="fc-row fc-feed-actions">{run && <RunActions run={run} />}</div>
    </header>
  )
}

/** What it comes to; of a run that is over, what was done. */
function tell(run: FeedRun): string {
  const { status, appliedAt, appliedBy, undoneAt, undoneBy, skipped, kept } = run
  if (status === 'waiting') return 'Waiting for the second file. Nothing is changed yet.'
  if (status === 'reading') return 'Being read. Nothing is changed yet.'
  if (status === 'failed') return 'It could not be read or written to its end.'
  const sentence = describeRun(run)
  if (status === 'cancelled') return `Cancelled. It was read as: ${sentence}`
  if (status === 'undone' && undoneAt !== null) {
    const left = kept === 0 ? '' : ` ${kept.toLocaleString()} could not be undone and stay as they are.`
    return `Undone ${formatAgo(undoneAt)} by ${undoneBy ?? 'Forecourt'}.${left}`
  }
  if (status === 'applied' && appliedAt !== null) {
    const left = skipped === 0 ? '' : ` ${skipped.toLocaleString()} left as they were.`
    return `Applied ${formatAgo(appliedAt)} by ${appliedBy ?? 'Forecourt'}. ${sentence}${left}`
  }
  return sentence
}

function Where({ run }: { run: FeedRun }) {
  const { sourceName, mappingId, mappingName, mappingVersion, rows, unchanged, locked } = run
  const facts = [
    run.secondName === null ? null : `with ${run.secondName}`,
    sourceName,
    mappingId === null ? mappingName : null,
    `brought ${formatAgo(run.createdAt)} by ${run.createdBy ?? 'Forecourt'}`,
    rows === 0 ? null : `${rows.toLocaleString()} rows`,
    unchanged === 0 ? null : `${unchanged.toLocaleString()} unchanged`,
    locked === 0 ? null : `${locked.toLocaleString()} locked values left alone`,
    run.lotName === null ? null : `rows of no known dealer go to ${run.lotName}`,
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
            search={{ run: run.id }}
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
