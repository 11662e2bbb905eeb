import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { Totals } from '#contract/carbon/results/ledger-schema.ts'
import { atLeast, denominatorName, type LineRef, type Method, tonnes } from './insight-labels.ts'

/** Further ones stand where two years are compared. */
const MOST_INTENSITIES = 2

type Props = { totals: Totals; method: Method; onOpen: (line: LineRef) => void }

/** Both totals, what stands beside the scopes, and how much of what is expected is there. */
export function TotalFigures({ totals: { total, coverage, records, intensities }, method, onOpen }: Props) {
  const { expected, there, estimated } = coverage
  const share = (points: number) => `${expected === 0 ? 0 : (points / expected) * 100}%`
  return (
    <section className="fc-insights-strip" aria-label="Totals">
      {(['location', 'market'] as const).map((one) => (
        <button key={one} type="button" onClick={() => onOpen({ by: 'all', key: '' })}>
          <span>Total, {one}-based</span>
          <b>
            <bdi>{atLeast(total, one)}</bdi>
          </b>
          <span>t CO2e{total.missing > 0 && `, ${total.missing.toLocaleString()} without a result`}</span>
        </button>
      ))}
      {intensities.slice(0, MOST_INTENSITIES).map((one) => (
        <div key={`${one.kind} ${one.name ?? ''} ${one.unit}`}>
          <span>
            Intensity, <bdi>{denominatorName(one)}</bdi>
          </span>
          <b>
            <bdi>{atLeast({ ...one, missing: total.missing }, method)}</bdi>
          </b>
          <span>
            t CO2e for one of{' '}
            <bdi>
              {showFigure(one.amount)} {one.unit}
            </bdi>
          </span>
        </div>
      ))}
      <div>
        <span>Biogenic CO2, apart</span>
        <b>{tonnes(total.biogenic)}</b>
        <span>t CO2, beside the scopes</span>
      </div>
      {Number(total.other) !== 0 && (
        <div>
          <span>Other gases, apart</span>
          <b>{tonnes(total.other)}</b>
          <span>t CO2e, not of the Kyoto Protocol</span>
        </div>
      )}
      {Number(total.imported) !== 0 && (
        <div>
          <span>Of it imported totals</span>
          <b>{tonnes(total.imported)}</b>
          <span>t CO2e as it was reported, never covered</span>
        </div>
      )}
      <div className="fc-insights-covered">
        <span>Coverage</span>
        <b>
          {there.toLocaleString()} of {expected.toLocaleString()}
          <small>data points</small>
        </b>
        <span className="fc-insights-share" aria-hidden="true">
          <span style={{ inlineSize: share(there) }} />
          <span data-kind="estimated" style={{ inlineSize: share(estimated) }} />
        </span>
        <span className="fc-insights-shares">
          {there.toLocaleString()} measured · {estimated.toLocaleString()} estimated ·{' '}
          {(expected - there - estimated).toLocaleString()} missing
        </span>
      </div>
      <div>
        <span>Reviewed</span>
        <b>
          {records.approved.toLocaleString()} of {records.total.toLocaleString()}
        </b>
        <span>{records.submitted.toLocaleString()} wait for review</span>
      </div>
    </section>
  )
}
