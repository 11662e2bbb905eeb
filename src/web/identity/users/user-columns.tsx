import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { users } from '#contract/identity/users/users.ts'
import { useSearch } from '@tanstack/react-router'
import type { User, USER_LIST } from '#contract/identity/users/users.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { UserStatus } from './UserStatus.tsx'
import {
  countDifferences,
  explainStatus,
  nameOfUser,
  nameOrganizations,
  describeLastSignIn,
  formatLastSignIn,
} from './user-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Columns that show more than the value of their field. */
export const CELLS: Cells<User, keyof typeof USER_LIST.fields> = {
  name: (user) => (
    <>
      <UserLink user={user} />
      <Second>{user.userName}</Second>
    </>
  ),
  phone: (user) => <bdi className="fc-number">{user.phone}</bdi>,
  userTypeId: (user) => (
    <>
      <bdi>{user.userTypeName}</bdi>
      <Second>{user.isSuper ? 'Super user' : countDifferences(user)}</Second>
    </>
  ),
  organizationIds: (user) => (
    <bdi title={nameOrganizations(user, user.organizations.length)}>{nameOrganizations(user)}</bdi>
  ),
  state: (user) => (
    <>
      <UserStatus state={user.state} />
      <Second>{explainStatus(user)}</Second>
    </>
  ),
  lastSignInAt: (user) => (
    <span className={user.lastSignInAt === null ? 'fc-faint' : ''}>{describeLastSignIn(user)}</span>
  ),
}

export const WIDTHS = { name: 208, email: 216, organizationIds: 216 }

/** A row on a narrow screen. */
export function UserBlock({ user }: { user: User }) {
  const more = user.isSuper ? 'Super user' : countDifferences(user)
  return (
    <>
      <div className="fc-block-head">
        <UserLink user={user} />
        <span className="fc-small fc-soft">{formatLastSignIn(user)}</span>
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

/** Link to a user. The list's search is passed along, so that the way back shows the same rows. */
function UserLink({ user }: { user: User }) {
  const search = useSearch({ from: '/shell/administration/users' })
  return (
    <MayOpen for={users.get}>
      <Link
        to="/administration/users/$id"
        params={{ id: user.id }}
        state={{ usersSearch: search }}
        className="fc-name"
      >
        <bdi>{nameOfUser(user)}</bdi>
      </Link>
    </MayOpen>
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
