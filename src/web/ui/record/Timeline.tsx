import type { ReactNode } from 'react'
import type { Query } from '#web/api/query.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { type Load, Loaded } from './Loaded.tsx'
import './timeline.css'

/** A field whose value changed; null is no value. Without `before`, only the new value is shown. */
type TimelineChange = { field: string; before?: string | null; after: string | null }

export type TimelineEntry = {
  /** What happened: "Changed price". */
  what: ReactNode
  /** Who did it; null or empty to leave it out. */
  by: ReactNode
  at: string
  /** How the time is written instead of "2 hours ago". */
  time?: string
  changes?: readonly TimelineChange[]
  /** What else belongs to it, below. */
  more?: ReactNode
}

type Props<Data> = {
  query: Query<Data> | Load<Data>
  /** "the activity": completes "Couldn't load ...". */
  what: string
  /** The name of the list. */
  title: string
  entries: (data: Data) => readonly TimelineEntry[]
  /** Shown while nothing has happened. */
  empty: ReactNode
  /** Below: where to find older ones, or what else the reader must know. */
  note?: (data: Data) => ReactNode
  /** The class of the element that scrolls, for a timeline that is a whole page; otherwise it has no margin. */
  className?: string
}

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
/** In percent: lengths vary like real words. */
const LENGTHS = [46, 62, 38, 54, 70]

/** What happened to something, in the order of the data: what, who, when, and the values before and after. */
export function Timeline<Data>({ query, what, title, className, ...rest }: Props<Data>) {
  const frame = (content: ReactNode) =>
    className === undefined ? (
      <div className="fc-timeline-part">{content}</div>
    ) : (
      <div className={className}>{content}</div>
    )
  return (
    <Loaded query={query} what={what} shape={frame(<TimelineSkeleton label={`Loading ${what}`} />)}>
      {(data) => {
        const entries = rest.entries(data)
        const note = rest.note?.(data)
        if (entries.length === 0) {
          return (
            <>
              {rest.empty}
              {note}
            </>
          )
        }
        return frame(
          <>
            <ol className="fc-timeline" aria-label={title}>
              {entries.map((entry, index) => (
                <li key={`${entry.at} ${index}`}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ol>
            {note}
          </>,
        )
      }}
    </Loaded>
  )
}

function Entry({
  entry: { what, by, at, time = formatAgo(at), changes = [], more },
}: {
  entry: TimelineEntry
}) {
  const isKnown = by !== null && by !== ''
  return (
    <>
      <span>{what}</span>
      <span className="fc-second">
        {isKnown && <bdi>{by}</bdi>}
        {isKnown && ', '}
        <time dateTime={at} title={exactly.format(new Date(at))}>
          {time}
        </time>
      </span>
      {changes.length > 0 && (
        <ul className="fc-timeline-changes">
          {changes.map(({ field, before, after }) => (
            <li key={field}>
              <bdi className="fc-soft">{field}</bdi>{' '}
              {before !== undefined && (
                <>
                  <bdi className="fc-was">{before ?? 'none'}</bdi>
                  <span aria-hidden="true"> → </span>
                  <span className="fc-hidden">to</span>
                </>
              )}
              <bdi>{after ?? 'none'}</bdi>
            </li>
          ))}
        </ul>
      )}
      {more}
    </>
  )
}

function TimelineSkeleton({ label }: { label: string }) {
  return (
    <div aria-busy>
      <output className="fc-hidden">{label}</output>
      <ol className="fc-timeline" aria-hidden="true">
        {LENGTHS.map((length) => (
          <li key={length}>
            <span className="fc-skeleton" style={{ inlineSize: `${length}%` }} />
          </li>
        ))}
      </ol>
    </div>
  )
}
