import type { FactorGap } from '#contract/carbon/inventories/assignments.ts'
import { findSourceType } from '#contract/carbon/inventories/source-types.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { AddOwnFactor } from './AddOwnFactor.tsx'
import { elsewhereWords, gapWords } from './factor-gaps.ts'

type Props = { gaps: readonly { gap: FactorGap; facilities: number }[] }

/** Over the matrix: what is assigned or suggested and will come to nothing, since no factor leads there. */
export function FactorGapList({ gaps }: Props) {
  if (gaps.length === 0) return null
  return (
    <section className="fc-matrix-gaps" aria-labelledby="assignments-gaps">
      <h2 id="assignments-gaps">No published factor</h2>
      <p className="fc-small fc-soft">
        These come to nothing, and their totals say “at least”, until there is a factor for their region.
      </p>
      <ul>
        {gaps.map(({ gap, facilities }) => {
          const title = findSourceType(gap.sourceType)?.title ?? gap.sourceType
          return (
            <li key={`${gap.sourceType} ${gap.activity} ${gap.unit} ${gap.region}`}>
              <div>
                <Status tone="warn" mark="cross">
                  <bdi>
                    {title}: {gapWords(gap)}
                  </bdi>
                </Status>
                <bdi className="fc-second">
                  {count(facilities, 'facility', 'facilities')}. {elsewhereWords(gap)}
                </bdi>
              </div>
              <AddOwnFactor gap={gap} title={title} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
