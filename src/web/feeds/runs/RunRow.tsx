import { useState } from 'react'
import { type FeedRow, type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { STATUS_NAMES } from '#web/vehicles/index.ts'
import { fieldTitle } from './feed-labels.ts'
import { FixRowForm } from './FixRowForm.tsx'
import { MileageQuestion, PriceQuestion } from './PriceQuestion.tsx'
import { RowChanges } from './RowChanges.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** How many characters are shown at first; an XML row can fill pages. */
const SHOWN = 400

/** The original text of a row. */
function RawLine({ raw }: { raw: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const isLong = raw.length > SHOWN
  return (
    <>
      <code className="fc-feed-raw">
        <span className="fc-hidden">Text in the file: </span>
        <bdi>{isLong && !isOpen ? `${raw.slice(0, SHOWN)}...` : raw}</bdi>
      </code>
      {isLong && (
        <button
          type="button"
          className="fc-quiet fc-feed-rest"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show full row'}
        </button>
      )}
    </>
  )
}

/** One row of a feed: its vehicle, changes and problems. A rejected row also shows its text and can be fixed. */
export function RunRow({ row, run }: { row: FeedRow; run: FeedRun }) {
  const [isFixing, setIsFixing] = useState(false)
  const { id, kind, raw, reasons, warnings, note, toStatus, toLotName } = row
  // A price to decide about says more.
  const locked = row.locked.filter((field) => field !== 'price' || row.priceQuestion === null)
  const canFix = !run.isReadOnly && kind === 'refused' && (run.status === 'ready' || run.status === 'review')
  return (
    <li className="fc-feed-row">
      <div className="fc-feed-row-name">
        <Name row={row} />
        <span className="fc-second">
          <bdi>{describe(row)}</bdi>
        </span>
      </div>
      <div className="fc-feed-row-what">
        {reasons.map((reason) => (
          <Status
            key={reason}
            tone={kind === 'leftOut' ? 'mute' : 'bad'}
            mark={kind === 'leftOut' ? 'dash' : 'cross'}
          >
            <bdi>{reason}</bdi>
          </Status>
        ))}
        {toStatus !== null && (
          <p>
            Status changes to <b>{STATUS_NAMES.get(toStatus) ?? toStatus}</b>
          </p>
        )}
        {toLotName !== null && (
          <p>
            Moves to the lot{' '}
            <b>
              <bdi>{toLotName}</bdi>
            </b>
          </p>
        )}
        {kind === 'missing' && toStatus === null && (
          <p className="fc-soft">
            Not in this feed. It will be removed if it's also missing from the next one.
          </p>
        )}
        <RowChanges row={row} />
        <PriceQuestion row={row} run={run} />
        <MileageQuestion row={row} run={run} />
        {locked.length > 0 && (
          <p className="fc-small fc-soft">
            <bdi>Locked, not changed: {locked.map(fieldTitle).join(', ')}</bdi>
          </p>
        )}
        {warnings.map((warning) => (
          <Status key={warning} tone="warn" mark="alert">
            <bdi>{warning}</bdi>
          </Status>
        ))}
        {note !== null && (
          <Status tone="mute" mark="dash">
            <bdi>{note}</bdi>
          </Status>
        )}
        {raw !== null && <RawLine raw={raw} />}
        {isFixing && <FixRowForm row={row} run={run} onClose={() => setIsFixing(false)} />}
      </div>
      {canFix && !isFixing && (
        <Action
          for={feedRuns.fixRow}
          variant="default"
          onClick={() => setIsFixing(true)}
          aria-label={`Fix line ${row.line ?? id}`}
        >
          Fix
        </Action>
      )}
    </li>
  )
}

function Name({ row: { title, vehicleId, line, kind } }: { row: FeedRow }) {
  const name = title === '' ? `Line ${line ?? ''}` : title
  if (vehicleId === null || kind === 'refused') {
    return (
      <span className="fc-name">
        <bdi>{name}</bdi>
      </span>
    )
  }
  return (
    <Link to="/inventory/vehicle-data/$id" params={{ id: vehicleId }} className="fc-name">
      <bdi>{name}</bdi>
    </Link>
  )
}

function describe({ vin, stock, lotName, dealer, line, title }: FeedRow): string {
  const facts = [
    vin,
    stock === null ? null : `Stock ${stock}`,
    lotName ?? (dealer === null || dealer === '' ? null : `Dealer ID ${dealer}`),
    line === null || title === '' ? null : `Line ${line}`,
  ]
  return facts.filter((fact) => fact !== null).join(' · ')
}
