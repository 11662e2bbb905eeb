import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { customers } from '#contract/customers/customers/customers.ts'
import type { FoundUser } from '#contract/customers/customers/customers.ts'
import type { FOUND_LIST } from '#contract/customers/customers/reachable-user-list.ts'
import { ImpersonateButton } from '#web/identity/index.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { showSignIn } from '../customers/customer-columns.tsx'
import { UserStatus } from '../customers/UserStatus.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './users.css'

export const WIDTHS = { fullName: 280 }

/** Custom cells. */
export const CELLS: Cells<FoundUser, keyof typeof FOUND_LIST.fields> = {
  fullName: (user) => (
    <>
      <span className="fc-found">
        <UserLink user={user} />
        <Impersonate user={user} />
      </span>
      <span className="fc-second">
        <bdi>{user.userName}</bdi>
      </span>
    </>
  ),
  state: ({ state }) => <UserStatus of={state} />,
  lastSignInAt: ({ lastSignInAt }) => showSignIn(lastSignInAt),
}

/** A row on a narrow screen. */
export function UserBlock({ user }: { user: FoundUser }) {
  return (
    <>
      <div className="fc-block-head">
        <UserLink user={user} />
        <bdi className="fc-small">{user.customerName}</bdi>
      </div>
      <div className="fc-small fc-faint">
        <bdi>{user.userName === user.email ? user.email : `${user.userName} · ${user.email}`}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <UserStatus of={user.state} />
        <span className="fc-soft fc-number">{showSignIn(user.lastSignInAt)}</span>
        <Impersonate user={user} />
      </div>
    </>
  )
}

function Impersonate({ user: { id, fullName, state } }: { user: FoundUser }) {
  return <ImpersonateButton user={{ id, name: fullName, isActive: state !== 'off' }} />
}

/** Opens the user's customer. */
function UserLink({ user }: { user: FoundUser }) {
  return (
    <MayOpen for={customers.get}>
      <Link
        from="/customers/people"
        to="/customers/people"
        search={(before) => ({ ...before, customer: user.customerId })}
        className="fc-name"
      >
        <bdi>{user.fullName}</bdi>
      </Link>
    </MayOpen>
  )
}
