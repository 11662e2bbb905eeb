import { IconEye, IconEyeOff, IconTrash } from '@tabler/icons-react'
import { lots } from '#contract/customers/lots/lots.ts'
import { send } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import { ask } from '#web/ui/overlay/dialogs.tsx'

const changeLots = send(lots.change)
const removeLots = send(lots.removeMany)

/** Bulk actions for lots. */
export const LOT_ACTIONS: readonly BulkAction[] = [
  {
    id: 'show',
    label: 'Show',
    icon: <IconEye size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: lots.change,
    start: (selection) => changeLots({ selection, change: { isPublic: true } }),
  },
  {
    id: 'hide',
    label: 'Hide',
    icon: <IconEyeOff size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: lots.change,
    start: (selection) => changeLots({ selection, change: { isPublic: false } }),
  },
]
