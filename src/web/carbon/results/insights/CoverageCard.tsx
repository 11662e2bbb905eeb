import { findSourceType } from '#contract/carbon/inventories/source-types.ts'
import { dayAfter } from '#contract/days.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { Totals } from '#contract/carbon/results/ledger-schema.ts'
import { monthWords } from '#web/carbon/activity/records/activity-labels.ts'

/** More would push everything else off the page. */
const MOST_SHOWN = 12

/** A whole month by its name, anything else by its days. */
function periodWords(from: string, to: string): string {
  const isMonth =
    from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7) && dayAfter(to, 1).endsWith('-01')
  return isMonth ? monthWords(from) : `${writeDay(from)} to ${writeDay(to)}`
}

/** Which data points are expected and not there. */
export function CoverageCard({ coverage: { missing, sentence } }: { coverage: Totals['coverage'] }) {
  return (
    <section className="fc-insights-card">
      <header>
        <h2>What is missing</h2>
      </header>
      <p>
        <bdi>{sentence}</bdi>
      </p>
      <ul className="fc-insights-categories">
        {missing.slice(0, MOST_SHOWN).map(({ sourceId, sourceType, facilityName, from, to }) => (
          <li key={`${sourceId} ${from}`}>
            <bdi>
              {findSourceType(sourceType)?.title ?? sourceType}, {facilityName}
            </bdi>
            <span className="fc-number fc-soft">{periodWords(from, to)}</span>
          </li>
        ))}
      </ul>
      {missing.length > MOST_SHOWN && (
        <p className="fc-small">and {(missing.length - MOST_SHOWN).toLocaleString()} more.</p>
      )}
      {missing.length === 0 && <p className="fc-small">Nothing.</p>}
    </section>
  )
}
