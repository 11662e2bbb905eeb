import { useState } from 'react'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { query } from '#web/api/query.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Timeline } from '#web/ui/record/Timeline.tsx'

/** Who changed the rule, what and when; loaded when it is opened. */
export function RuleVersions({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="fc-rule-versions" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Versions</summary>
      {isOpen && (
        <Timeline
          query={query(pricingRules.versions, { id })}
          what="the versions"
          title="Versions"
          entries={(versions) =>
            versions.map(({ at, by, isNew, changes }) => ({
              what: isNew ? 'Added' : 'Changed',
              by,
              at,
              time: formatDay(at),
              changes: changes.map(({ field, before, after }) =>
                before === null ? { field, after } : { field, before, after },
              ),
            }))
          }
          empty={<p className="fc-small fc-soft">There are no versions you can see.</p>}
        />
      )}
    </details>
  )
}
