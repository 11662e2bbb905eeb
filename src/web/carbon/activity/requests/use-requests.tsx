import { useQuery } from '@tanstack/react-query'
import { dataRequests, type RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { query } from '#web/api/query.ts'
import { askFor, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { keyOfCell } from '#web/carbon/inventories/emission-sources/assignment-draft.ts'
import { RequestForm, type SendResult } from './RequestForm.tsx'
import { describeSource } from './request-labels.ts'

/** The data requests of an inventory, and the dialogs that send requests and reminders. */
export function useRequests(inventoryId: string) {
  const { data } = useQuery(query(dataRequests.list, { inventory: inventoryId }))
  const cells = data ?? NONE

  async function openForm(kind: 'request' | 'reminder', about: readonly RequestCell[]): Promise<void> {
    const title = kind === 'request' ? 'Request data' : 'Send reminders'
    const sent = await askFor<SendResult>(title, (onAnswer) => (
      <RequestForm kind={kind} inventoryId={inventoryId} cells={about} onAnswer={onAnswer} />
    ))
    if (sent !== null) showResult(kind, sent, cells)
  }

  return {
    cells,
    byKey: new Map(cells.map((cell) => [keyOfCell(cell.facilityId, cell.sourceType), cell])),
    ask: (about: readonly RequestCell[]) => openForm('request', about),
    remind: (about: readonly RequestCell[]) => openForm('reminder', about),
  }
}

const NONE: readonly RequestCell[] = []

function showResult(
  kind: 'request' | 'reminder',
  { sent, left }: SendResult,
  cells: readonly RequestCell[],
): void {
  const names = sent.map(({ dataOwnerName }) => dataOwnerName).join(', ')
  toast(
    kind === 'request' ? 'Data requested' : 'Reminders sent',
    `${count(sent.length, 'email', 'emails')}: ${names}`,
  )
  if (left.length === 0) return
  const cellOf = new Map(cells.map((cell) => [cell.sourceId, cell]))
  showNotice(
    `${count(left.length, 'source was', 'sources were')} skipped`,
    <ul>
      {left.map(({ sourceId, message }) => {
        const cell = cellOf.get(sourceId)
        return (
          <li key={sourceId}>
            <bdi>{cell ? `${describeSource(cell)}: ${message}` : message}</bdi>
          </li>
        )
      })}
    </ul>,
  )
}
