import { ActionIcon } from '@mantine/core'
import { IconBell, IconBuilding, IconCalendar, IconUserShare, IconX } from '@tabler/icons-react'
import { assessmentTargets, type Target } from '#contract/assessments/targets/targets.ts'
import { focusHeading } from '#web/follow-navigation.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { waits } from './board-rows.ts'
import type { TargetActions } from './use-target-actions.tsx'
import '#web/ui/list/selection/bulk-bar.css'

type Props = {
  targets: readonly Target[]
  lock: string | null
  actions: TargetActions
  onClear: () => void
}

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** What can be done with the selected targets. */
export function SelectionBar({ targets, lock, actions, onClear }: Props) {
  const isAllSubmitted = !targets.some(waits)
  const waiting = lock ?? (isAllSubmitted ? 'The answers of all selected targets were submitted.' : null)
  const clear = () => {
    focusHeading()
    onClear()
  }
  return (
    <div className="fc-bulk-place">
      {/* Each element is a button of its own; the bar only handles Escape for them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <fieldset
        className="fc-bulk"
        aria-label="Selected targets"
        onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && clear()}
      >
        <output className="fc-bulk-count">
          <bdi>
            <b>{targets.length.toLocaleString()}</b> selected
          </bdi>
        </output>
        <div className="fc-bulk-verbs">
          <Action
            for={assessmentTargets.remind}
            variant="subtle"
            lock={waiting}
            leftSection={<IconBell {...ICON} />}
            onClick={() => actions.remind(targets)}
          >
            Remind
          </Action>
          <Action
            for={assessmentTargets.reassign}
            variant="subtle"
            lock={waiting}
            leftSection={<IconUserShare {...ICON} />}
            onClick={() => actions.reassign(targets)}
          >
            Reassign
          </Action>
          <Action
            for={assessmentTargets.changeDueDate}
            variant="subtle"
            lock={waiting}
            leftSection={<IconCalendar {...ICON} />}
            onClick={() => actions.changeDueDate(targets)}
          >
            Change due date
          </Action>
          {actions.changeSize !== null && (
            <Action
              for={assessmentTargets.changeSize}
              variant="subtle"
              lock={waiting}
              leftSection={<IconBuilding {...ICON} />}
              onClick={() => actions.changeSize?.(targets)}
            >
              Change company size
            </Action>
          )}
        </div>
        <ActionIcon className="fc-bulk-clear" aria-label="Clear selection" onClick={clear}>
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
      </fieldset>
    </div>
  )
}
