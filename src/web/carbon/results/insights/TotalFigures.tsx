import type { LedgerTotal } from '#contract/carbon/results/ledger-filter.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { count } from '#web/ui/layout/date-format.ts'
import {
  atLeast,
  denominatorName,
  type Method,
  perUnit,
  tonnes,
  wholeTotal,
} from '../../activity/insight-labels.ts'

/** The comparison page shows all of them. */
const MOST_INTENSITIES = 2

type Props = { totals: Totals; method: Method; onOpen: (line: LedgerTotal, method?: Method) => void }

/** What the total of the whole period doesn't include: "12 data points without data", also those that aren't due yet. */
function gapWords({ total, gaps }: Totals): string[] {
  const { points, categories } = gaps
  return [
    ...(total.missing > 0 ? [`${total.missing.toLocaleString()} without a result`] : []),
    ...(points > 0 ? [`${count(points, 'data point', 'data points')} without data`] : []),
    ...(categories.length > 0
      ? [`${count(categories.length, 'relevant category', 'relevant categories')} without data`]
      : []),
  ]
}

/** Both totals, the intensities, what is reported outside the scopes, and the data coverage. */
export function TotalFigures({ totals, method, onOpen }: Props) {
  const { total, coverage, records, intensities } = totals
  const whole = wholeTotal(totals)
  const { expected, there, estimated } = coverage
  const share = (points: number) => `${expected === 0 ? 0 : (points / expected) * 100}%`
  return (
    <section className="fc-insights-strip" aria-label="Totals">
      {(['location', 'market'] as const).map((one) => (
        <button key={one} type="button" onClick={() => onOpen({ by: 'all', key: '' }, one)}>
          <span>Total, {one}-based</span>
          <b>
            <bdi>{atLeast(whole, one)}</bdi>
          </b>
          <span>{['t CO2e', ...gapWords(totals)].join(', ')}</span>
        </button>
      ))}
      {intensities.slice(0, MOST_INTENSITIES).map((one) => (
        <div key={`${one.kind} ${one.name ?? ''} ${one.unit}`}>
          <span>
            Intensity, <bdi>{denominatorName(one)}</bdi>
          </span>
          <b>
            <bdi>{atLeast({ ...whole, ...one }, method)}</bdi>
          </b>
          <span>
            t CO2e per <bdi>{perUnit(one)}</bdi> ({showFigure(one.amount)})
          </span>
        </div>
      ))}
      <div>
        <span>Biogenic CO2</span>
        <b>{tonnes(total.biogenic)}</b>
        <span>t CO2, outside scopes</span>
      </div>
      {Number(total.other) !== 0 && (
        <div>
          <span>Other gases</span>
          <b>{tonnes(total.other)}</b>
          <span>t CO2e, outside scopes (not Kyoto Protocol)</span>
        </div>
      )}
      {Number(total.imported) !== 0 && (
        <div>
          <span>Including imported totals</span>
          <b>{tonnes(total.imported)}</b>
          <span>t CO2e as reported, not counted as coverage</span>
        </div>
      )}
      <div className="fc-insights-covered">
        <span>Coverage</span>
        <b>
          {there.toLocaleString()} of {expected.toLocaleString()} <small>data points</small>
        </b>
        <span className="fc-insights-share" aria-hidden="true">
          <span style={{ inlineSize: share(there) }} />
          <span data-kind="estimated" style={{ inlineSize: share(estimated) }} />
        </span>
        <span className="fc-insights-shares">
          {there.toLocaleString()} measured · {estimated.toLocaleString()} estimated ·{' '}
          {(expected - there - estimated).toLocaleString()} without data
        </span>
      </div>
      <div>
        <span>Reviewed</span>
        <b>
          {records.approved.toLocaleString()} of {records.total.toLocaleString()}
        </b>
        <span>{records.submitted.toLocaleString()} in review</span>
      </div>
    </section>
  )
}
