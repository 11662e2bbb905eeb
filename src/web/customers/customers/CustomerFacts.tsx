import type { OpenCustomer } from '#contract/customers/customers/customers.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { showSignIn } from './customer-columns.tsx'
import { CustomerStatus } from './CustomerStatus.tsx'

/** A customer's status with its reason, and its figures. */
export function CustomerFacts({ customer }: { customer: OpenCustomer }) {
  const { status, statusReason, statusChangedAt, isPlatform, domains, timeZone } = customer
  return (
    <section className="fc-customer-facts-head">
      <div className="fc-row fc-wrap">
        <CustomerStatus of={status} isPill />
        {isPlatform && (
          <bdi className="fc-small fc-soft">The platform's own customer can't be suspended or closed.</bdi>
        )}
        {status !== 'active' && (
          <span className="fc-small fc-soft">
            <bdi>
              {statusChangedAt !== null && `Since ${formatDay(statusChangedAt)}. `}
              <bdi>{statusReason}</bdi>
            </bdi>
          </span>
        )}
      </div>
      <dl className="fc-customer-facts">
        <div>
          <dt>Domains</dt>
          <dd>
            <bdi>{domains.join(', ') || 'None'}</bdi>
          </dd>
        </div>
        <div>
          <dt>Time zone</dt>
          <dd>
            <bdi>{timeZone}</bdi>
          </dd>
        </div>
        <div>
          <dt>Last sign-in</dt>
          <dd>{showSignIn(customer.lastSignInAt)}</dd>
        </div>
        <div>
          <dt>Organizations</dt>
          <dd className="fc-number">{customer.organizations.toLocaleString()}</dd>
        </div>
        <div>
          <dt>Users</dt>
          <dd className="fc-number">{customer.people.toLocaleString()}</dd>
        </div>
        <div>
          <dt>Lots</dt>
          <dd className="fc-number">{customer.lots.toLocaleString()}</dd>
        </div>
      </dl>
    </section>
  )
}
