import { Link, useSearch } from '@tanstack/react-router'
import type { User } from '#contract/identity/users.ts'
import type { Column } from '#web/ui/DataTable.tsx'
import { UserStatus } from './UserStatus.tsx'
import {
  countDifferences,
  explainState,
  nameOfUser,
  nameOrganizations,
  sayLastSignIn,
  tellLastSignIn,
} from './user-words.ts'

/** The columns of the list; sortable ones carry the names the contract sorts by. */
export const columns: readonly Column<User>[] = [
  {
    id: 'name',
    title: 'Name',
    isSortable: true,
    cell: (user) => (
      <>
        <UserLink user={user} />
        <Second>{user.userName}</Second>
      </>
    ),
  },
  { id: 'email', title: 'E-mail', isSortable: true, cell: (user) => <bdi>{user.email}</bdi> },
  {
    id: 'userTypeName',
    title: 'User type',
    isSortable: true,
    cell: (user) => (
      <>
        <bdi>{user.userTypeName}</bdi>
        <Second>{user.isSuper ? 'Super user' : countDifferences(user)}</Second>
      </>
    ),
  },
  { id: 'organizations', title: 'Organizations', cell: (user) => <bdi>{nameOrganizations(user)}</bdi> },
  {
    id: 'state',
    title: 'State',
    isSortable: true,
    cell: (user) => (
      <>
        <UserStatus state={user.state} />
        <Second>{explainState(user)}</Second>
      </>
    ),
  },
  {
    id: 'lastSignInAt',
    title: 'Last sign-in',
    isSortable: true,
    isNumber: true,
    cell: (user) => (
      <span className={user.lastSignInAt === null ? 'fc-faint' : ''}>{sayLastSignIn(user)}</span>
    ),
  },
]

/** A row on a narrow screen. */
export function UserBlock({ user }: { user: User }) {
  const more = user.isSuper ? 'Super user' : countDifferences(user)
  return (
    <>
      <div className="fc-block-head">
        <UserLink user={user} />
        <span className="fc-small fc-soft">{tellLastSignIn(user)}</span>
      </div>
      <div className="fc-small fc-faint">
        <bdi>{user.email}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <UserStatus state={user.state} />
        <span className="fc-soft">
          <bdi>{[user.userTypeName, more].filter(Boolean).join(' · ')}</bdi>
        </span>
      </div>
    </>
  )
}

/** Opens a person; the list goes along, so that the way back leads to the same rows. */
function UserLink({ user }: { user: User }) {
  const search = useSearch({ from: '/shell/administration/users' })
  return (
    <Link
      to="/administration/users/$id"
      params={{ id: user.id }}
      state={{ usersSearch: search }}
      className="fc-name"
    >
      <bdi>{nameOfUser(user)}</bdi>
    </Link>
  )
}

function Second({ children }: { children: string }) {
  if (children === '') return null
  return (
    <span className="fc-second">
      <bdi>{children}</bdi>
    </span>
  )
}
