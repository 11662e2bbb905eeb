import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import type { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { formatPeriod } from '#web/carbon/activity/records/activity-labels.ts'

/** A longer list would push everything else off the page. */
const MOST_SHOWN = 12

/** The expected data points of the whole period that aren't covered: also those that are estimated or not due yet. */
export function CoverageCard({
  coverage: { missing, overlaps, sentence },
}: {
  coverage: Totals['coverage']
}) {
  return (
    <section className="fc-insights-card">
      <header>
        <h2>Not covered yet</h2>
      </header>
      <p>
        <bdi>{sentence}</bdi>
      </p>
      <ul className="fc-insights-categories">
        {missing.slice(0, MOST_SHOWN).map((point) => (
          <li key={`${point.sourceId} ${point.from}`}>
            <bdi>
              {sourceTitle(point)}, {point.facilityName}
            </bdi>
            <span className="fc-number fc-soft">{formatPeriod(point.from, point.to)}</span>
          </li>
        ))}
      </ul>
      {missing.length > MOST_SHOWN && (
        <p className="fc-small">and {(missing.length - MOST_SHOWN).toLocaleString()} more.</p>
      )}
      {missing.length === 0 && <p className="fc-small">All data points are covered.</p>}
      {overlaps.length > 0 && (
        <>
          <h3>Counted twice</h3>
          <p className="fc-small">
            Records of these sources overlap. Check whether a bill was entered twice.
          </p>
          <ul className="fc-insights-categories">
            {overlaps.slice(0, MOST_SHOWN).map((source) => (
              <li key={source.sourceId}>
                <bdi>
                  {sourceTitle(source)}, {source.facilityName}
                </bdi>
                <Status tone="warn" mark="alert">
                  {count(source.days, 'day', 'days')}
                </Status>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
