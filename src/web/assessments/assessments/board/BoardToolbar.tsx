import { SegmentedControl } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { assessmentTargets, type Target } from '#contract/assessments/targets/targets.ts'
import type { Invitation } from '#contract/participants/invitations/participants.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { SearchField } from '#web/ui/list/SearchField.tsx'
import type { BoardSort } from './board-search.ts'
import { remindersFor } from './remind-people.ts'

const SORTS = [
  { value: 'progress', label: 'Progress' },
  { value: 'due', label: 'Due date' },
  { value: 'owner', label: 'Owner' },
] as const

type Props = {
  targets: readonly Target[]
  invitations: readonly Invitation[]
  /** Why the assessment can’t be changed, as a sentence; null if it can. */
  lock: string | null
  search: string
  sort: BoardSort
  onShow: (change: { search?: string; sort?: BoardSort }) => void
  onRemind: (targets: readonly Target[]) => void
}

/** Search, order and legend of the board, and the reminder to everyone who has not answered. */
export function BoardToolbar({ search, sort, onShow, ...remind }: Props) {
  return (
    <div className="fc-toolbar">
      <SearchField
        label="Search targets"
        placeholder="Target or person"
        value={search}
        onSearch={(text) => onShow({ search: text })}
      />
      <SegmentedControl
        aria-label="Sort by"
        size="xs"
        value={sort}
        data={[...SORTS]}
        onChange={(value) => onShow({ sort: SORTS.find((one) => one.value === value)?.value ?? 'progress' })}
      />
      <Legend />
      <RemindAll {...remind} />
    </div>
  )
}

/** Its label says how many people are reminded. */
function RemindAll({ targets, invitations, lock, onRemind }: Omit<Props, 'search' | 'sort' | 'onShow'>) {
  const { users, links } = remindersFor(targets, invitations)
  const people = users.length + links.length
  return (
    <Action
      for={assessmentTargets.remind}
      className="fc-board-remind"
      lock={lock ?? (people === 0 ? 'There is no one to remind.' : null)}
      leftSection={<IconBell size={16} aria-hidden="true" />}
      onClick={() => onRemind(targets)}
    >
      Remind {count(people, 'person', 'people')}
    </Action>
  )
}

const LOOKS = [
  { look: 'all', label: 'all answered' },
  { look: 'part', label: 'part' },
  { look: 'flagged', label: 'changes requested' },
  { look: 'empty', label: 'none yet' },
] as const

function Legend() {
  return (
    <ul className="fc-board-legend fc-small fc-soft" aria-label="Legend">
      {LOOKS.map(({ look, label }) => (
        <li key={look}>
          <span className="fc-heat-key" data-look={look} aria-hidden="true" />
          {label}
        </li>
      ))}
      <li>– not asked</li>
    </ul>
  )
}
