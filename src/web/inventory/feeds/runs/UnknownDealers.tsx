import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FeedRun, NO_LOT } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { LotChoice } from './RunLotChoice.tsx'

/** So many dealers are named before the others are asked for. */
const SHOWN = 12

const withoutLot = ({ refusals }: FeedRun): number =>
  refusals.find(({ sentence }) => sentence === NO_LOT)?.rows ?? 0

/** Whether rows were refused because nobody knows their lot: by what they name, or because they name nothing. */
export function lacksLots(run: FeedRun): boolean {
  return run.unknownDealers.length > 0 || withoutLot(run) > 0
}

/** Rows that no lot is known for: which lot it is, said once for all rows of this file. */
export function UnknownDealers({ run }: { run: FeedRun }) {
  const { unknownDealers: dealers, status } = run
  const rows = dealers.reduce((all, one) => all + one.rows, 0)
  return (
    <section className="fc-feed-note" aria-label="Rows without a lot">
      <h2>
        <Status tone="warn" mark="alert">
          <bdi>
            {dealers.length === 0
              ? `${count(withoutLot(run), 'row names', 'rows name')} no dealer: which lot do they stand on?`
              : `${count(dealers.length, 'dealer', 'dealers')} of the provider without a lot of yours: ${count(rows, 'row', 'rows')}`}
          </bdi>
        </Status>
      </h2>
      <Dealers of={dealers.slice(0, SHOWN)} />
      {dealers.length > SHOWN && (
        <details className="fc-feed-others">
          <summary>{count(dealers.length - SHOWN, 'more dealer', 'more dealers')}</summary>
          <Dealers of={dealers.slice(SHOWN)} />
        </details>
      )}
      {run.canReadAgain && (
        <>
          <p className="fc-soft">
            {dealers.length === 0
              ? 'The file is read again with the lot you choose. The next file like it goes there by itself.'
              : 'If all of them stand on one lot, choose it: the file is read again. If not, give each lot its number at the provider.'}
          </p>
          <LotChoice run={run} />
        </>
      )}
      {!run.canReadAgain && status !== 'undone' && (
        <div className="fc-feed-map">
          <p>Bring the file again after a lot was given its number at the provider.</p>
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
