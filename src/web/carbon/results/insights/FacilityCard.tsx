import type { LedgerTotal } from '#contract/carbon/results/ledger-filter.ts'
import type { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { atLeast, type Method } from '../../activity/insight-labels.ts'
import './facilities.css'

type Props = { totals: Totals; method: Method; onOpen: (line: LedgerTotal) => void }

/** The emissions and data coverage of each facility. */
export function FacilityCard({ totals: { facilities, coverage }, method, onOpen }: Props) {
  const sorted = facilities.toSorted((one, other) => Number(other[method]) - Number(one[method]))
  const most = Math.max(0, ...sorted.map((line) => Number(line[method])))
  return (
    <section className="fc-insights-card" aria-labelledby="insights-facilities">
      <header>
        <h2 id="insights-facilities" className="fc-grow">
          By facility
        </h2>
        <span className="fc-small fc-faint">t CO2e and coverage</span>
      </header>
      <ul className="fc-insights-facilities">
        {sorted.map((line) => {
          const covered = coverage.facilities.find(({ facilityId }) => facilityId === line.key)
          const whole = { ...line, points: covered?.missing ?? 0 }
          const share = most === 0 ? 0 : Math.max(0, (Number(line[method]) / most) * 100)
          return (
            <li key={line.key}>
              <bdi className="fc-cut">{line.title}</bdi>
              <span className="fc-insights-thin" aria-hidden="true">
                <span style={{ inlineSize: `${share}%` }} />
              </span>
              <button
                type="button"
                className="fc-text-button fc-number"
                aria-label={`${atLeast(whole, method)} t, rows of ${line.title}`}
                onClick={() => onOpen({ by: 'facility', key: line.key })}
              >
                {atLeast(whole, method)}
              </button>
              <span className="fc-number fc-small fc-soft">
                {covered
                  ? `${covered.there.toLocaleString()} of ${covered.expected.toLocaleString()}`
                  : 'none expected'}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
