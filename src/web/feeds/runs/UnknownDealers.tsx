import { Button } from '@mantine/core'
import { type FeedRun, NO_LOT } from '#contract/feeds/runs/feed-runs.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { LotChoice } from './RunLotChoice.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** How many dealer IDs are shown at first. */
const SHOWN = 12

const withoutLot = ({ refusals }: FeedRun): number =>
  refusals.find(({ sentence }) => sentence === NO_LOT)?.rows ?? 0

/** Whether rows were rejected because their lot is unknown: the dealer ID isn't linked, or there is none. */
export function lacksLots(run: FeedRun): boolean {
  return run.unknownDealers.length > 0 || withoutLot(run) > 0
}

/** Lists unlinked dealer IDs and lets the user choose one lot for all rows of this file. */
export function UnknownDealers({ run }: { run: FeedRun }) {
  const { unknownDealers: dealers, status } = run
  const rows = dealers.reduce((all, one) => all + one.rows, 0)
  return (
    <section className="fc-feed-note" aria-label="Rows without a lot">
      <h2>
        <Status tone="warn" mark="alert">
          <bdi>
            {dealers.length === 0
              ? `${count(withoutLot(run), 'row has', 'rows have')} no dealer ID. Choose a lot.`
              : `${count(dealers.length, "dealer ID isn't", "dealer IDs aren't")} linked to a lot (${count(rows, 'row', 'rows')})`}
          </bdi>
        </Status>
      </h2>
      <Dealers of={dealers.slice(0, SHOWN)} />
      {dealers.length > SHOWN && (
        <details className="fc-feed-others">
          <summary>{count(dealers.length - SHOWN, 'more dealer ID', 'more dealer IDs')}</summary>
          <Dealers of={dealers.slice(SHOWN)} />
        </details>
      )}
      {run.canReadAgain && (
        <>
          <p className="fc-soft">
            {dealers.length === 0
              ? "The file is read again with the lot you choose. We'll use it for the next file like this one too."
              : 'Choose a lot for all of them, or add each dealer ID to its lot.'}
          </p>
          <LotChoice run={run} />
        </>
      )}
      {!run.canReadAgain && status !== 'undone' && (
        <div className="fc-feed-map">
          <p>Add each dealer ID to its lot, then upload the file again.</p>
          <Button variant="default" renderRoot={(props) => <Link to="/customers/lots" {...props} />}>
            Lots
          </Button>
        </div>
      )}
    </section>
  )
}

function Dealers({ of }: { of: FeedRun['unknownDealers'] }) {
  if (of.length === 0) return null
  return (
    <ul className="fc-feed-dealers">
      {of.map(({ dealer, rows }) => (
        <li key={dealer}>
          <bdi>{dealer}</bdi>
          <span className="fc-number fc-soft">{count(rows, 'row', 'rows')}</span>
        </li>
      ))}
    </ul>
  )
}
