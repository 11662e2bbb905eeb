import { IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { users } from '#contract/identity/users/users.ts'
import { send } from '#web/api/query.ts'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'

const changeUsers = send(users.change)

/** Bulk actions for users. */
export const USER_ACTIONS: readonly BulkAction[] = [
  {
    id: 'on',
    label: 'Activate',
    icon: <IconUserCheck size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: users.change,
    start: (selection) => changeUsers({ selection, change: { isActive: true } }),
  },
  {
    id: 'off',
    label: 'Deactivate',
    icon: <IconUserOff size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: users.change,
    start: (selection) => changeUsers({ selection, change: { isActive: false } }),
  },
]
