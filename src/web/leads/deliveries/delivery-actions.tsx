import { IconRefresh } from '@tabler/icons-react'
import { leadDeliveries, MAX_REPLAYED } from '#contract/leads/deliveries/lead-deliveries.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { call } from '#web/api/client.ts'
import { send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { readAllPages } from '#web/ui/list/read-all-pages.ts'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import { ask, showNotice } from '#web/ui/overlay/dialogs.tsx'

const replayMany = send(leadDeliveries.replayMany)

/** Bulk actions for deliveries. */
export const DELIVERY_ACTIONS: readonly BulkAction[] = [
  {
    id: 'replay',
    label: 'Send again',
    icon: <IconRefresh size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: leadDeliveries.replayMany,
    ask: (_selection, chosen) => askToReplay(chosen),
    async start(selection) {
      const { replayed, skipped } = await replayMany({ ids: await idsOf(selection) })
      toast(`${count(replayed, 'delivery', 'deliveries')} queued to be sent again`, describeSkipped(skipped))
      return 'done'
    },
  },
]

async function askToReplay(chosen: number): Promise<boolean> {
  if (chosen > MAX_REPLAYED) {
    showNotice(
      'Too many deliveries',
      <p>
        At most {MAX_REPLAYED.toLocaleString()} deliveries can be sent again at once. Use filters to narrow
        the list.
      </p>,
    )
    return false
  }
  return ask({
    title: `Send ${count(chosen, 'delivery', 'deliveries')} again?`,
    text: 'Each is sent with the same ID, so that the receiver can recognize one that it already has. Deliveries that are being sent, or whose destination was deleted, are skipped.',
    confirm: `Send ${count(chosen, 'delivery', 'deliveries')} again`,
  })
}

/** What was skipped, for the notice; empty if nothing was. */
export function describeSkipped(skipped: number): string {
  return skipped === 0
    ? ''
    : `${count(skipped, 'was', 'were')} skipped: already being sent, or without a destination.`
}

/** The IDs of a selection; of all matching rows, those that match now. */
async function idsOf(selection: Selection): Promise<(string | number)[]> {
  if ('ids' in selection) return selection.ids
  const { search, filter, except = [] } = selection
  const rows = await readAllPages((page) =>
    call(leadDeliveries.list, {
      ...page,
      ...(search !== undefined && { search }),
      ...(filter !== undefined && { filter }),
    }),
  )
  const left = new Set(except.map(String))
  return rows.flatMap(({ id }) => (left.has(id) ? [] : [id])).slice(0, MAX_REPLAYED)
}
