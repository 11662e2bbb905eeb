import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FeedRun } from '#contract/inventory/feed-runs.ts'
import { count } from '#web/ui/moment.ts'
import { Status } from '#web/ui/Status.tsx'
import type { Bringing } from './bring-feed.ts'
import { fileOf } from './feed-files.ts'
import { fieldTitle } from './feed-words.ts'
import { lacksLots, UnknownDealers } from './UnknownDealers.tsx'

type Props = { run: FeedRun; bringing: Bringing }

/** What somebody should know before it is applied: why it is held or failed, who is unknown, what has no word. */
export function RunNotes({ run, bringing }: Props) {
  const { status, error, held, mappingId, unmapped, warnings } = run
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
      {isOpen && mappingId === null && (
        <Note
          title={
            <Status tone="info" mark="quarter">
              No mapping of yours was used
            </Status>
          }
        >
          <MapColumns
            run={run}
            words="Its columns were matched by names and values. Keep that as a mapping, and mend what is not right."
          />
        </Note>
      )}
      {lacksLots(run) && <UnknownDealers run={run} bringing={bringing} />}
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
  const file = fileOf(run.id)
  return (
    <div className="fc-feed-map">
      <p>
        <bdi>
          {words}
          {file === null && ' The file is asked for once more: it lies on the machine of who brought it.'}
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

function More({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="fc-feed-more">
      <summary>
        <bdi>{title}</bdi>
      </summary>
      <ul className="fc-lines">{children}</ul>
    </details>
  )
}

function sum(warnings: FeedRun['warnings']): number {
  return warnings.reduce((all, { rows }) => all + rows, 0)
}
