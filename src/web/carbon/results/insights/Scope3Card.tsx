import type { LedgerTotal } from '#contract/carbon/results/ledger-filter.ts'
import { SCOPE3_CATEGORIES } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { atLeast, categoryCounts, type Method } from '../../activity/insight-labels.ts'

type Props = { totals: Totals; method: Method; onOpen: (line: LedgerTotal) => void }

/** All 15 scope 3 categories: the total, or why there is none. A category that wasn't assessed is never shown as 0. */
export function Scope3Card({ totals, method, onOpen }: Props) {
  return (
    <section className="fc-insights-card">
      <header>
        <h2>Scope 3 by category</h2>
        <span className="fc-grow fc-small fc-faint">t CO2e</span>
        <span className="fc-small fc-soft">{categoryCounts(totals)}</span>
      </header>
      <ul className="fc-insights-categories">
        {SCOPE3_CATEGORIES.map((name, at) => {
          const category = at + 1
          const assessment = totals.scope3.find((one) => one.category === category)
          const line = totals.scopes.find(({ key }) => key === `3.${category}`)
          return (
            <li key={name}>
              <span>
                {category} {name}
              </span>
              {line ? (
                <button
                  type="button"
                  className="fc-text-button fc-number"
                  aria-label={`${atLeast(line, method)} t, rows of category ${category}`}
                  onClick={() => onOpen({ by: 'scope', key: line.key })}
                >
                  {atLeast(line, method)}
                </button>
              ) : (
                <Relevance
                  relevance={assessment?.relevance ?? 'not_assessed'}
                  reason={assessment?.reason ?? null}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Relevance({ relevance, reason }: { relevance: string; reason: string | null }) {
  if (relevance === 'relevant') {
    return (
      <Status tone="warn" mark="alert">
        Relevant, no data
      </Status>
    )
  }
  if (relevance === 'not_relevant') {
    return (
      <span className="fc-soft">
        Not relevant
        {reason !== null && <bdi className="fc-second">{reason}</bdi>}
      </span>
    )
  }
  return (
    <Status tone="mute" mark="wait">
      Not assessed
    </Status>
  )
}
