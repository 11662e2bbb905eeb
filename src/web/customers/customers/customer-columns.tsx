import type { Customer } from '#contract/customers/customers.ts'
import type { Column } from '#web/ui/DataTable.tsx'
import { count, formatAgo, formatDay } from '#web/ui/moment.ts'
import { CustomerLink } from './CustomerLink.tsx'
import { CustomerStatus } from './CustomerStatus.tsx'

/** The columns of the list; sortable ones carry the names the contract sorts by. */
export const columns: readonly Column<Customer>[] = [
  {
    id: 'name',
    title: 'Customer',
    isSortable: true,
    cell: (customer) => (
      <>
        <CustomerLink id={customer.id} name={customer.name} />
        <span className="fc-second">
          <bdi>{showDomains(customer)}</bdi>
        </span>
      </>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    isSortable: true,
    cell: ({ status, statusReason }) => (
      <>
        <CustomerStatus of={status} />
        {status !== 'active' && statusReason !== null && (
          <span className="fc-second fc-short" title={statusReason}>
            <bdi>{statusReason}</bdi>
          </span>
        )}
      </>
    ),
  },
  {
    id: 'organizations',
    title: 'Organizations',
    isNumber: true,
    cell: ({ organizations }) => organizations.toLocaleString(),
  },
  {
    id: 'people',
    title: 'People',
    isSortable: true,
    isNumber: true,
    cell: ({ people }) => people.toLocaleString(),
  },
  {
    id: 'lots',
    title: 'Lots',
    isSortable: true,
    isNumber: true,
    cell: ({ lots }) => lots.toLocaleString(),
  },
  {
    id: 'lastSignInAt',
    title: 'Last sign-in',
    isSortable: true,
    isNumber: true,
    cell: ({ lastSignInAt }) => showSignIn(lastSignInAt),
  },
  {
    id: 'createdAt',
    title: 'Created',
    isSortable: true,
    isNumber: true,
    cell: ({ createdAt }) => formatDay(createdAt),
  },
]

/** A row on a narrow screen. */
export function CustomerBlock({ customer }: { customer: Customer }) {
  const { id, name, status, statusReason, people, lots, lastSignInAt } = customer
  return (
    <>
      <div className="fc-block-head">
        <CustomerLink id={id} name={name} />
        <span className="fc-number fc-small">{count(people, 'person', 'people')}</span>
      </div>
      <div className="fc-small fc-faint">
        <bdi>{showDomains(customer)}</bdi> · {count(lots, 'lot', 'lots')}
      </div>
      <div className="fc-block-head fc-small">
        <span className="fc-row">
          <CustomerStatus of={status} />
          {status !== 'active' && <bdi className="fc-soft">{statusReason}</bdi>}
        </span>
        <span className="fc-soft fc-number">{showSignIn(lastSignInAt)}</span>
      </div>
    </>
  )
}

function showDomains({ domains, isPlatform }: Customer): string {
  if (isPlatform) return ['The platform itself', ...domains].join(', ')
  return domains.join(', ') || 'No domain of its own'
}

/** "3 hr. ago", or that nobody ever came. */
export function showSignIn(instant: string | null): string {
  return instant === null ? 'Never' : formatAgo(instant)
}
