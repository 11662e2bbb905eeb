import { useState } from 'react'
import { pricingRules, type RuleVersion } from '#contract/pricing/rules/pricing-rules.ts'
import { query } from '#web/api/query.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'

/** Who changed the rule, what and when; loaded when it is opened. */
export function RuleVersions({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="fc-rule-versions" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Versions</summary>
      <Loaded
        query={{ ...query(pricingRules.versions, { id }), enabled: isOpen }}
        what="the versions"
        shape={null}
      >
        {(versions) => (
          <>
            {versions.length === 0 && <p className="fc-small fc-soft">There are no versions you can see.</p>}
            <ol>
              {versions.map((version) => (
                <Version key={`${version.at} ${version.isNew}`} version={version} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </details>
  )
}

function Version({ version: { at, by, isNew, changes } }: { version: RuleVersion }) {
  return (
    <li>
      <b>
        <bdi>
          {isNew ? 'Added' : 'Changed'} {formatDay(at)}
          {by !== null && ` by ${by}`}
        </bdi>
      </b>
      <ul className="fc-small">
        {changes.map(({ field, before, after }) => (
          <li key={field}>
            <bdi>
              {field}: {before !== null && `${before} → `}
              {after ?? 'None'}
            </bdi>
          </li>
        ))}
      </ul>
    </li>
  )
}
