import type { FactorGap } from '#contract/carbon/inventories/assignments.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { AddCustomFactor } from './AddCustomFactor.tsx'
import { otherRegionsMessage, gapMessage } from './factor-gaps.ts'

type Props = { gaps: readonly { gap: FactorGap; facilities: number }[] }

/** Above the matrix: assigned or suggested sources that can't be calculated because a factor is missing. */
export function FactorGapList({ gaps }: Props) {
  if (gaps.length === 0) return null
  return (
    <section className="fc-matrix-gaps" aria-labelledby="assignments-gaps">
      <h2 id="assignments-gaps">No published factor</h2>
      <p className="fc-small fc-soft">Not calculated yet. Totals show “at least” until a factor is added.</p>
      <ul>
        {gaps.map(({ gap, facilities }) => {
          const title = sourceTitle(gap)
          return (
            <li key={`${gap.sourceType} ${gap.activity} ${gap.unit} ${gap.region}`}>
              <div>
                <Status tone="warn" mark="cross">
                  <bdi>
                    {title}: {gapMessage(gap)}
                  </bdi>
                </Status>
                <bdi className="fc-second">
                  {count(facilities, 'facility', 'facilities')}. {otherRegionsMessage(gap)}
                </bdi>
              </div>
              <AddCustomFactor gap={gap} title={title} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
