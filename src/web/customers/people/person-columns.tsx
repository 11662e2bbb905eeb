import { Link } from '@tanstack/react-router'
import type { FoundPerson } from '#contract/customers/customers.ts'
import type { Column } from '#web/ui/DataTable.tsx'
import { showSignIn } from '../customers/customer-columns.tsx'
import { PersonState } from '../customers/PersonState.tsx'

/** The columns of the people finder; sortable ones carry the names the contract sorts by. */
export const columns: readonly Column<FoundPerson>[] = [
  {
    id: 'fullName',
    title: 'Person',
    isSortable: true,
    cell: (person) => (
      <>
        <PersonLink person={person} />
        <span className="fc-second">
          <bdi>{person.userName}</bdi>
        </span>
      </>
    ),
  },
  { id: 'email', title: 'E-mail', isSortable: true, cell: ({ email }) => <bdi>{email}</bdi> },
  {
    id: 'customerName',
    title: 'Customer',
    isSortable: true,
    cell: ({ customerName }) => <bdi>{customerName}</bdi>,
  },
  { id: 'state', title: 'State', cell: ({ state }) => <PersonState of={state} /> },
  {
    id: 'lastSignInAt',
    title: 'Last sign-in',
    isSortable: true,
    isNumber: true,
    cell: ({ lastSignInAt }) => showSignIn(lastSignInAt),
  },
]

/** A row on a narrow screen. */
export function PersonBlock({ person }: { person: FoundPerson }) {
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
        <PersonState of={person.state} />
        <span className="fc-soft fc-number">{showSignIn(person.lastSignInAt)}</span>
      </div>
    </>
  )
}

/** Opens the customer the person belongs to. */
function PersonLink({ person }: { person: FoundPerson }) {
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
