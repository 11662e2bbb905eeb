import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pricingRules, type RuleVersion } from '#contract/pricing/rules/pricing-rules.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'

/** Who changed the rule, what and when; loaded when it is opened. */
export function RuleVersions({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const { data, error, refetch } = useQuery({ ...query(pricingRules.versions, { id }), enabled: isOpen })
  return (
    <details className="fc-rule-versions" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Versions</summary>
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={pricingRules.versions}
          what="the versions"
          onRetry={() => void refetch()}
        />
      )}
      {data?.length === 0 && <p className="fc-small fc-soft">There are no versions you can see.</p>}
      <ol>
        {data?.map((version) => (
          <Version key={`${version.at} ${version.isNew}`} version={version} />
        ))}
      </ol>
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
