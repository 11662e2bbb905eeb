import { useQuery } from '@tanstack/react-query'
import { customers } from '#contract/customers/customers/customers.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { AdministratorBlock } from './AdministratorBlock.tsx'
import { Checklist } from './Checklist.tsx'
import { CustomerFacts } from './CustomerFacts.tsx'
import { CustomerFooter } from './CustomerFooter.tsx'
import './customers.css'

/** One customer: status, setup checklist, administrator, organizations and actions. */
export function CustomerDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending, refetch } = useQuery(query(customers.get, { id }))
  return (
    <FormDrawer
      title={data?.name ?? 'Customer'}
      about={data && `Customer since ${formatDay(data.createdAt)}, ${count(data.people, 'user', 'users')}`}
      size={640}
      onClose={onClose}
    >
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={customers.get}
          what="this customer"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <RecordSkeleton label="Loading the customer" shape="facts" />}
      {data && (
        <div className="fc-form">
          <div className="fc-blocks-of-drawer">
            <CustomerFacts customer={data} />
            {!data.isPlatform && <Checklist steps={data.checklist} />}
            {!data.isPlatform && <AdministratorBlock customer={data} />}
            <section>
              <h2>Organizations</h2>
              <ul className="fc-lines">
                {data.organizationList.map((organization) => (
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
          <CustomerFooter customer={data} />
        </div>
      )}
    </FormDrawer>
  )
}
