import { carbonAssignments, type InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { LEVEL_NAMES, TYPE_NAMES, writePercent } from '#web/organizations/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'

type Props = {
  facility: InventoryFacility
  /** Why the choice can't be changed; null if it can. */
  lock: string | null
  onInclude: () => void
  onExclude: () => void
}

/** One facility: its inclusion percentage over time with the reason, and whether it is in the inventory. */
export function FacilityChoice({ facility, lock, onInclude, onExclude }: Props) {
  const { name, code, level, type, choice, reason, spans, sources } = facility
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        <span className="fc-second">
          <bdi>
            {code}, {type === null ? LEVEL_NAMES[level].toLowerCase() : TYPE_NAMES[type].toLowerCase()}
          </bdi>
        </span>
      </th>
      <td>
        <ul>
          {spans.map(({ from, to, percent, reason: why }) => (
            <li key={from}>
              <bdi className="fc-number">{writePercent(percent)}</bdi>
              <span className="fc-second">
                <bdi>
                  {spans.length > 1 ? `${writeDay(from)} to ${writeDay(to)}. ` : ''}
                  {why}
                </bdi>
              </span>
            </li>
          ))}
        </ul>
      </td>
      <td>
        <div className="fc-carbon-choice">
          <div>
            <ChoiceStatus choice={choice} />
            <span className="fc-second">
              <bdi>{choice === 'included' ? count(sources, 'source', 'sources') : reason}</bdi>
            </span>
          </div>
          {choice !== 'included' && (
            <Action
              for={carbonAssignments.choose}
              lock={lock}
              variant="default"
              aria-label={`Include ${name}`}
              onClick={onInclude}
            >
              Include
            </Action>
          )}
          {choice !== 'excluded' && (
            <Action
              for={carbonAssignments.choose}
              lock={lock}
              variant="subtle"
              color="gray"
              aria-label={`Exclude ${name}`}
              onClick={onExclude}
            >
              Exclude
            </Action>
          )}
        </div>
      </td>
    </tr>
  )
}

function ChoiceStatus({ choice }: Pick<InventoryFacility, 'choice'>) {
  if (choice === 'included') {
    return (
      <Status tone="good" mark="check">
        Included
      </Status>
    )
  }
  if (choice === 'excluded') {
    return (
      <Status tone="mute" mark="dash">
        Excluded
      </Status>
    )
  }
  return (
    <Status tone="warn" mark="wait">
      Undecided
    </Status>
  )
}
