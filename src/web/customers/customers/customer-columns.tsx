import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { customers } from '#contract/customers/customers/customers.ts'
import type { CUSTOMER_LIST } from '#contract/customers/customers/customer-list.ts'
import type { Customer } from '#contract/customers/customers/customers.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { count, formatAgo, formatDay } from '#web/ui/layout/date-format.ts'
import { CustomerStatus } from './CustomerStatus.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells. */
export const CELLS: Cells<Customer, keyof typeof CUSTOMER_LIST.fields> = {
  name: (customer) => (
    <>
      <CustomerLink id={customer.id} name={customer.name} />
      <span className="fc-second">
        <bdi>{showDomains(customer)}</bdi>
      </span>
    </>
  ),
  status: ({ status, statusReason }) => (
    <>
      <CustomerStatus of={status} />
      {status !== 'active' && statusReason !== null && (
        <span className="fc-second fc-cut" title={statusReason}>
          <bdi>{statusReason}</bdi>
        </span>
      )}
    </>
  ),
  lastSignInAt: ({ lastSignInAt }) => showSignIn(lastSignInAt),
  createdAt: ({ createdAt }) => formatDay(createdAt),
}

/** A row on a narrow screen. */
export function CustomerBlock({ customer }: { customer: Customer }) {
  const { id, name, status, statusReason, people, lots, lastSignInAt } = customer
  return (
    <>
      <div className="fc-block-head">
        <CustomerLink id={id} name={name} />
        <span className="fc-number fc-small">{count(people, 'user', 'users')}</span>
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
  if (isPlatform) return ['Platform', ...domains].join(', ')
  return domains.join(', ') || 'No custom domain'
}

/** "3 hr. ago", or "Never". */
export function showSignIn(instant: string | null): string {
  return instant === null ? 'Never' : formatAgo(instant)
}

/** Opens a customer from its name, as a link that can be copied or opened in a new tab. */
function CustomerLink({ id, name }: { id: string; name: string }) {
  return (
    <MayOpen for={customers.get}>
      <Link
        from="/customers"
        to="/customers"
        search={(before) => ({ ...before, customer: id })}
        className="fc-name"
      >
        <bdi>{name}</bdi>
      </Link>
    </MayOpen>
  )
}
