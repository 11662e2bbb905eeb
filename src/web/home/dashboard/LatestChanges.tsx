import type { Change } from '#contract/home/dashboard.ts'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Who did what to which record, newest first. */
export function LatestChanges({ changes }: { changes: readonly Change[] }) {
  return (
    <section className="fc-card fc-card-wide">
      <header>
        <h2>Latest changes</h2>
      </header>
      {changes.length === 0 && <p>No changes yet. Changes by you and your team appear here.</p>}
      <ul className="fc-latest-changes">
        {changes.map((change) => (
          <li key={change.id}>
            <Mark logo={null} name={change.actor ?? 'Forecourt'} size={24} />
            <span className="fc-grow">
              <Sentence change={change} />
            </span>
            <time className="fc-soft fc-number" dateTime={change.at}>
              <bdi>{formatAgo(change.at)}</bdi>
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Isolates the sentence and each name from the page's text direction. */
function Sentence({ change }: { change: Change }) {
  return (
    <bdi>
      <bdi className="fc-name">{change.actor ?? 'Forecourt'}</bdi>
      {change.onBehalfOf !== null && (
        <>
          {' '}
          as <bdi>{change.onBehalfOf}</bdi>
        </>
      )}{' '}
      {change.action} {change.kind} <Subject change={change} />
    </bdi>
  )
}

function Subject({ change: { url, subject } }: { change: Change }) {
  const name = <bdi>{subject}</bdi>
  return url === null ? name : <Link to={url}>{name}</Link>
}
