import { IconPlus, IconUsers, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type User, USER_LIST, users } from '#contract/identity/users/users.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, UserBlock, WIDTHS } from './user-columns.tsx'
import { nameOfUser } from './user-labels.ts'
import { send } from '#web/api/query.ts'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'

const changeUsers = send(users.change)

/** Bulk actions for users. */
const USER_ACTIONS: readonly BulkAction[] = [
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

const route = getRouteApi('/shell/administration/users')

/** The users the caller can access. A row opens the user's page. */
export function UsersPage() {
  const search = route.useSearch()
  const { onShow } = useListRoute()
  const leave = useNavigate()
  const add = (
    <Action
      for={users.add}
      onClick={() =>
        void leave({
          to: '/administration/users/$id',
          params: { id: 'new' },
          state: { usersSearch: search },
        })
      }
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add user
    </Action>
  )
  return (
    <ListPage
      list={USER_LIST}
      endpoint={users.list}
      search={search}
      onShow={onShow}
      cells={CELLS}
      widths={WIDTHS}
      block={showBlock}
      rowId={(row) => row.id}
      rowName={nameOfUser}
      searches="Name, user name, email"
      actions={add}
      bulk={USER_ACTIONS}
      empty={
        <EmptyState
          tone="brand"
          icon={<IconUsers size={18} />}
          title="No users yet"
          text="Add everyone who needs to sign in. Each user has a user type that sets their permissions, and belongs to one or more organizations."
        >
          {add}
        </EmptyState>
      }
    />
  )
}

function showBlock(user: User) {
  return <UserBlock user={user} />
}
