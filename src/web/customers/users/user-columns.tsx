import { Link } from '@tanstack/react-router'
import type { FoundUser } from '#contract/customers/customers/customers.ts'
import type { FOUND_LIST } from '#contract/customers/customers/reachable-user-list.ts'
import { ImpersonateButton } from '#web/identity/index.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { showSignIn } from '../customers/customer-columns.tsx'
import { UserState } from '../customers/UserState.tsx'
import './users.css'

export const WIDTHS = { fullName: 280 }

/** How the columns look that say more than their field. */
export const CELLS: Cells<FoundUser, keyof typeof FOUND_LIST.fields> = {
  fullName: (person) => (
    <>
      <span className="fc-found">
        <PersonLink person={person} />
        <Impersonate person={person} />
      </span>
      <span className="fc-second">
        <bdi>{person.userName}</bdi>
      </span>
    </>
  ),
  state: ({ state }) => <UserState of={state} />,
  lastSignInAt: ({ lastSignInAt }) => showSignIn(lastSignInAt),
}

/** A row on a narrow screen. */
export function PersonBlock({ person }: { person: FoundUser }) {
  return (
    <>
      <div className="fc-block-head">
        <PersonLink person={person} />
        <bdi className="fc-small">{person.customerName}</bdi>
      </div>
      <div className="fc-small fc-faint">
        <bdi>{person.userName === person.email ? person.email : `${person.userName} · ${person.email}`}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <UserState of={person.state} />
        <span className="fc-soft fc-number">{showSignIn(person.lastSignInAt)}</span>
        <Impersonate person={person} />
      </div>
    </>
  )
}

function Impersonate({ person: { id, fullName, state } }: { person: FoundUser }) {
  return <ImpersonateButton person={{ id, name: fullName, isActive: state !== 'off' }} />
}

/** Opens the customer the person belongs to. */
function PersonLink({ person }: { person: FoundUser }) {
  return (
    <Link
      from="/customers/people"
      to="/customers/people"
      search={(before) => ({ ...before, customer: person.customerId })}
      className="fc-name"
    >
      <bdi>{person.fullName}</bdi>
    </Link>
  )
}
