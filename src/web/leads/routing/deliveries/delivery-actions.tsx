import { IconRefresh } from '@tabler/icons-react'
import { leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { send } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import { ask } from '#web/ui/overlay/dialogs.tsx'

const replayMany = send(leadDeliveries.replayMany)

/** Bulk actions for deliveries. */
export const DELIVERY_ACTIONS: readonly BulkAction[] = [
  {
    id: 'replay',
    label: 'Send again',
    icon: <IconRefresh size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: leadDeliveries.replayMany,
    ask: (_selection, chosen) =>
      ask({
        title: `Send ${count(chosen, 'delivery', 'deliveries')} again?`,
        text: 'Each goes out with the same ID, by which the receiver can recognize one that it already has. Deliveries that are on their way are skipped and listed afterward.',
        confirm: `Send ${count(chosen, 'delivery', 'deliveries')} again`,
      }),
    start: (selection) => replayMany({ selection }),
  },
]
