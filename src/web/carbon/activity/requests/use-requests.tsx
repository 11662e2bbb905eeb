import { useQuery } from '@tanstack/react-query'
import { dataRequests, type RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { askFor, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { keyOfCell } from '#web/carbon/inventories/emission-sources/assignment-draft.ts'
import { RequestForm, type SendResult } from './RequestForm.tsx'
import { placeWords } from './request-labels.ts'

/** What was asked of whom in an inventory, and asking more: both show first whom they write to. */
export function useRequests(inventoryId: string) {
  const { data } = useQuery(query(dataRequests.list, { inventory: inventoryId }))
  const cells = data ?? NONE

  async function write(kind: 'request' | 'reminder', about: readonly RequestCell[]): Promise<void> {
    const title = kind === 'request' ? 'Request data' : 'Remind the silent'
    const sent = await askFor<SendResult>(title, (onAnswer) => (
      <RequestForm kind={kind} inventoryId={inventoryId} cells={about} onAnswer={onAnswer} />
    ))
    await invalidateRequests()
    if (sent !== null) tell(kind, sent, cells)
  }

  return {
    cells,
    byKey: new Map(cells.map((cell) => [keyOfCell(cell.facilityId, cell.sourceType), cell])),
    ask: (about: readonly RequestCell[]) => write('request', about),
    remind: (about: readonly RequestCell[]) => write('reminder', about),
  }
}

const NONE: readonly RequestCell[] = []

/** Lets everything that tells of requests be read anew. */
export async function invalidateRequests(): Promise<void> {
  const { list, get, mine } = dataRequests
  await Promise.all(
    [list, get, mine].map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })),
  )
}

function tell(kind: 'request' | 'reminder', { sent, left }: SendResult, cells: readonly RequestCell[]): void {
  const names = sent.map(({ personName }) => personName).join(', ')
  toast(
    kind === 'request' ? 'Data requested' : 'Reminded',
    `${count(sent.length, 'mail', 'mails')}: ${names}`,
  )
  if (left.length === 0) return
  const known = new Map(cells.map((cell) => [cell.sourceId, cell]))
  showNotice(
    `${count(left.length, 'source was', 'sources were')} left out`,
    <ul>
      {left.map(({ sourceId, message }) => {
        const cell = known.get(sourceId)
        return (
          <li key={sourceId}>
            <bdi>{cell ? `${placeWords(cell)}: ${message}` : message}</bdi>
          </li>
        )
      })}
    </ul>,
  )
}
