import { customers, type OpenCustomer } from '#contract/customers/customers/customers.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { AdministratorBlock } from './AdministratorBlock.tsx'
import { CustomerFacts } from './CustomerFacts.tsx'
import { CustomerFooter } from './CustomerFooter.tsx'
import './customers.css'
import { Status } from '#web/ui/controls/Status.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { countDone, STEPS } from './customer-labels.ts'

/** One customer: status, setup checklist, administrator, organizations and actions. */
export function CustomerDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  // What becomes of the invitation is shown within seconds.
  const load = useLoad(
    live(query(customers.get, { id }), {
      while: (customer) => customer?.administrator?.passwordMailState === 'waiting',
    }),
  )
  const { data } = load
  return (
    <FormDrawer
      title={data?.name ?? 'Customer'}
      about={data && `Customer since ${formatDay(data.createdAt)}, ${count(data.people, 'user', 'users')}`}
      size={640}
      onClose={onClose}
    >
      <Loaded query={load} what="this customer" shape="facts">
        {(loaded) => (
          <div className="fc-form">
            <div className="fc-blocks-of-drawer">
              <CustomerFacts customer={loaded} />
              {!loaded.isPlatform && <Checklist steps={loaded.checklist} />}
              {!loaded.isPlatform && <AdministratorBlock customer={loaded} />}
              <section>
                <h2>Organizations</h2>
                <ul className="fc-lines">
                  {loaded.organizationList.map((organization) => (
                    <li key={organization.id}>
                      <span className="fc-grow">
                        <bdi>{organization.name}</bdi>
                      </span>
                      <bdi className="fc-small fc-faint">{organization.timeZone}</bdi>
                    </li>
                  ))}
                </ul>
              </section>
            </div>
            <CustomerFooter customer={loaded} />
          </div>
        )}
      </Loaded>
    </FormDrawer>
  )
}

/** The setup steps of a new customer. */
function Checklist({ steps }: { steps: OpenCustomer['checklist'] }) {
  return (
    <section>
      <header className="fc-row">
        <h2 className="fc-grow">Getting started</h2>
        <span className="fc-small fc-soft fc-number">
          <bdi>{countDone(steps)}</bdi>
        </span>
      </header>
      <ol className="fc-lines fc-checklist">
        {steps.map(({ step, isDone }) => (
          <li key={step}>
            <span className="fc-grow">
              <Status tone={isDone ? 'good' : 'info'} mark={isDone ? 'check' : 'wait'}>
                {STEPS[step].title}
                <span className="fc-hidden">{isDone ? ', done' : ', to do'}</span>
              </Status>
              {!isDone && (
                <span className="fc-second fc-step">
                  <bdi>{STEPS[step].todo}</bdi>
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
