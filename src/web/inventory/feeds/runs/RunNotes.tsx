import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type FeedRun, NO_LOT } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { fileOf } from './feed-files.ts'
import { fieldTitle } from './feed-labels.ts'
import { LotChoice } from './RunLotChoice.tsx'
import { lacksLots, UnknownDealers } from './UnknownDealers.tsx'

/** What a mapping is called that the rows themselves proposed. */
const FOUND = 'Found by itself'

/** What somebody should know before it is applied: why it is held or failed, who is unknown, what has no word. */
export function RunNotes({ run }: { run: FeedRun }) {
  const { status, error, held, mappingId, mappingName, unmapped, warnings } = run
  const refusals = run.refusals.filter(({ sentence }) => sentence !== NO_LOT)
  const isPreset = mappingName !== null && mappingName !== FOUND
  const isOpen = status === 'ready' || status === 'held'
  return (
    <>
      {error !== null && (
        <Note
          title={
            <Status tone="bad" mark="cross">
              {error}
            </Status>
          }
        >
          <MapColumns run={run} words="If its columns are what it fails by, say what they are." />
        </Note>
      )}
      {status === 'held' && (
        <Note
          title={
            <Status tone="warn" mark="pause">
              Held: somebody has to look before it is applied
            </Status>
          }
        >
          <ul className="fc-feed-reasons">
            {held.map((reason) => (
              <li key={reason}>
                <bdi>{reason}</bdi>
              </li>
            ))}
          </ul>
        </Note>
      )}
      {lacksLots(run) && <UnknownDealers run={run} />}
      {isOpen && run.canReadAgain && run.lotName !== null && !lacksLots(run) && (
        <More title={`Rows that name no lot of yours stand on ${run.lotName}. Another lot?`}>
          <li>
            <LotChoice run={run} />
          </li>
        </More>
      )}
      {isOpen && mappingId === null && (
        <Note
          title={
            <Status tone="info" mark="check">
              <bdi>
                {isPreset
                  ? `Its columns are those of ${mappingName}: nothing has to be mapped`
                  : 'Its columns were matched by their names and values'}
              </bdi>
            </Status>
          }
        >
          <MapColumns
            run={run}
            words={
              isPreset
                ? 'Keep them as a mapping of your own only where something is not right.'
                : 'Look through the rows below. If something is not right, say what its columns are: that is kept for the next file.'
            }
          />
        </Note>
      )}
      {refusals.some(({ rows }) => rows > 1) && (
        <More title={`Why rows were refused: ${count(sum(refusals), 'row', 'rows')}`} isOpen={!run.canApply}>
          {refusals.map(({ sentence, rows }) => (
            <li key={sentence}>
              <bdi className="fc-grow">{sentence}</bdi>
              <span className="fc-number fc-soft">{count(rows, 'row', 'rows')}</span>
            </li>
          ))}
        </More>
      )}
      {warnings.length > 0 && (
        <More title={`Warnings: ${count(sum(warnings), 'row', 'rows')}`}>
          {warnings.map(({ sentence, rows }) => (
            <li key={sentence}>
              <bdi className="fc-grow">{sentence}</bdi>
              <span className="fc-number fc-soft">{count(rows, 'row', 'rows')}</span>
            </li>
          ))}
        </More>
      )}
      {unmapped.length > 0 && (
        <More title={`Values without a word of ours: ${unmapped.length.toLocaleString()}`}>
          {unmapped.map(({ field, value, rows }) => (
            <li key={`${field} ${value}`}>
              <span className="fc-soft">{fieldTitle(field)}</span>
              <bdi className="fc-grow">{value}</bdi>
              <span className="fc-number fc-soft">{count(rows, 'row', 'rows')}</span>
            </li>
          ))}
        </More>
      )}
    </>
  )
}

/** Leads into the screen of mappings with this file as the sample, and from there back to a new run. */
function MapColumns({ run, words }: { run: FeedRun; words: string }) {
  const isHere = run.canReadAgain || fileOf(run.id) !== null
  return (
    <div className="fc-feed-map">
      <p>
        <bdi>
          {words}
          {!isHere && ' The file is asked for once more: it is not kept any more.'}
        </bdi>
      </p>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            to="/administration/provider-mappings/$id"
            params={{ id: run.mappingId ?? 'new' }}
            search={{ run: run.id }}
            {...props}
          />
        )}
      >
        Map its columns
      </Button>
    </div>
  )
}

function Note({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="fc-feed-note">
      <h2>
        <bdi>{title}</bdi>
      </h2>
      {children}
    </section>
  )
}

type MoreProps = { title: string; isOpen?: boolean; children: ReactNode }

function More({ title, isOpen = false, children }: MoreProps) {
  return (
    <details className="fc-feed-more" open={isOpen}>
      <summary>
        <bdi>{title}</bdi>
      </summary>
      <ul className="fc-lines">{children}</ul>
    </details>
  )
}

function sum(warnings: readonly { rows: number }[]): number {
  return warnings.reduce((all, { rows }) => all + rows, 0)
}
