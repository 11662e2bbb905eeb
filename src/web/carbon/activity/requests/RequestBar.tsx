import { IconBell, IconMail } from '@tabler/icons-react'
import { dataRequests, type RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { isUnanswered } from './request-labels.ts'
import { count } from '#web/ui/layout/date-format.ts'
import './requests.css'

type Props = {
  cells: readonly RequestCell[]
  /** Why requests can't be sent now; null if they can. */
  lock: string | null
  onAsk: (cells: readonly RequestCell[]) => void
  onRemind: (cells: readonly RequestCell[]) => void
}

const ICON = { size: 16, 'aria-hidden': true } as const

/** Buttons above the matrix: request data for empty or for all sources, and send reminders. */
export function RequestBar({ cells, lock, onAsk, onRemind }: Props) {
  if (cells.length === 0) return null
  const missing = cells.filter(({ hasData }) => !hasData)
  const unanswered = cells.filter(isUnanswered)
  const people = new Set(unanswered.map(({ dataOwnerId }) => dataOwnerId)).size
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
          Request data for {count(missing.length, 'empty source', 'empty sources')}
        </Action>
      )}
      <Action
        for={dataRequests.ask}
        variant="default"
        leftSection={<IconMail {...ICON} />}
        lock={lock}
        onClick={() => onAsk(cells)}
      >
        Request all data
      </Action>
      <Action
        for={dataRequests.remind}
        variant="default"
        leftSection={<IconBell {...ICON} />}
        lock={lock ?? (unanswered.length === 0 ? 'No open requests to send reminders for.' : null)}
        onClick={() => onRemind(unanswered)}
      >
        Remind {count(people, 'person', 'people')}
      </Action>
    </>
  )
}
