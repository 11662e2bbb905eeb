import { useId } from 'react'
import type { Facility } from '#contract/organizations/facilities/facilities.ts'
import { type Consolidation, inclusionOver, writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { useTodayIn } from '#web/session/use-today.ts'
import { CONSOLIDATION_NAMES } from '../organization-labels.ts'
import { writePercent } from './facility-labels.ts'

type Props = {
  /** From the top of the tree down to the saved facility. */
  chain: readonly Facility[]
  organization: OrganizationProfile
  approach: Consolidation
}

/** The inclusion percentage of the facility over time, from its first day until today, with the reasons. */
export function InclusionHistory({ chain, organization, approach }: Props) {
  const heading = useId()
  const now = useTodayIn(organization.timeZone)
  const facility = chain.at(-1)
  const first = facility?.control[0]?.validFrom
  if (facility === undefined || first === undefined) return null
  const from = facility.openedOn ?? first
  const spans = inclusionOver(chain, { from: from < now ? from : now, to: now }, approach)
  return (
    <section className="fc-wide fc-form-section" aria-labelledby={heading}>
      <h2 id={heading}>Inclusion over time</h2>
      <p className="fc-small fc-faint">
        <bdi>
          {CONSOLIDATION_NAMES[approach]}
          {approach === organization.consolidation ? `, used by ${organization.name}` : ''}. Newest first.
        </bdi>
      </p>
      <ul className="fc-spans">
        {spans.toReversed().map(({ from: begin, percent, reason }) => (
          <li key={begin}>
            <bdi className="fc-number">{writePercent(percent)}</bdi>
            <span>
              <bdi>From {writeDay(begin)}</bdi>
              <span className="fc-second">
                <bdi>{reason}</bdi>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
