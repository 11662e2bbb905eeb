import { IconBell, IconMail } from '@tabler/icons-react'
import { dataRequests, type RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { isOverdueForReminder } from './request-labels.ts'
import { count } from '#web/ui/layout/date-format.ts'
import './requests.css'

type Props = {
  cells: readonly RequestCell[]
  /** Why nobody is asked now; null where somebody may be. */
  lock: string | null
  onAsk: (cells: readonly RequestCell[]) => void
  onRemind: (cells: readonly RequestCell[]) => void
}

const ICON = { size: 16, 'aria-hidden': true } as const

/** Over the matrix: asking for everything that has no data, or for all, and reminding the silent. */
export function RequestBar({ cells, lock, onAsk, onRemind }: Props) {
  if (cells.length === 0) return null
  const missing = cells.filter(({ hasData }) => !hasData)
  const silent = cells.filter(isOverdueForReminder)
  return (
    <>
      {missing.length > 0 && (
        <Action
          for={dataRequests.ask}
          variant="default"
          leftSection={<IconMail {...ICON} />}
          lock={lock}
          onClick={() => onAsk(missing)}
        >
          Request data of {count(missing.length, 'empty source', 'empty sources')}
        </Action>
      )}
      <Action
        for={dataRequests.ask}
        variant="default"
        leftSection={<IconMail {...ICON} />}
        lock={lock}
        onClick={() => onAsk(cells)}
      >
        Request data of all
      </Action>
      <Action
        for={dataRequests.remind}
        variant="default"
        leftSection={<IconBell {...ICON} />}
        lock={lock ?? (silent.length === 0 ? 'Nobody who was asked is silent.' : null)}
        onClick={() => onRemind(silent)}
      >
        Remind {silent.length.toLocaleString()} silent
      </Action>
    </>
  )
}
