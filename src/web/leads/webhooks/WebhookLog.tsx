import { writeLeaf } from '#contract/expressions/leaf.ts'
import { type LeadDelivery, leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { DeliveryStatus } from '../deliveries/delivery-columns.tsx'
import { buyerLabel, describeAttempts } from '../deliveries/delivery-looks.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const SHOWN = 10
/** The filter of the calls of webhooks among all deliveries. */
const WEBHOOKS = writeLeaf({ field: 'kind', operator: '==', value: 'webhook' }, 'choice')

/** The latest calls of all webhooks; the rest is in Deliveries. */
export function WebhookLog() {
  return (
    <section className="fc-routing-part" aria-labelledby="webhook-log">
      <div className="fc-block-head">
        <h2 id="webhook-log">Latest calls</h2>
        <Link
          to="/customers/lead-routing/deliveries"
          search={{ filter: WEBHOOKS }}
          className="fc-link fc-small"
        >
          All calls
        </Link>
      </div>
      <Loaded
        query={live(
          query(leadDeliveries.list, { filter: WEBHOOKS, sort: '-createdAt', page: 1, pageSize: SHOWN }),
          'queue',
        )}
        what="the log"
        shape="spinner"
        label="Loading the calls"
      >
        {(log) => (
          <>
            {log.results.length === 0 && (
              <p className="fc-small fc-soft">No calls yet. Send a test, or wait for the first lead.</p>
            )}
            {log.results.length > 0 && (
              <ul className="fc-webhook-log" aria-label="Latest calls">
                {log.results.map((call) => (
                  <Call key={call.id} call={call} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Call({ call }: { call: LeadDelivery }) {
  const { id, isTest, destinationName, response, createdAt } = call
  return (
    <li>
      <DeliveryStatus delivery={call} />
      <span>
        <Link to="/customers/lead-routing/deliveries" search={{ delivery: id }} className="fc-name">
          <bdi>{isTest ? 'Test' : buyerLabel(call)}</bdi>
        </Link>
        <span className="fc-second">
          <bdi>{[destinationName, describeAttempts(call)].filter(Boolean).join(', ')}</bdi>
        </span>
      </span>
      <bdi className="fc-small fc-soft fc-cut">{response}</bdi>
      <time className="fc-small fc-faint" dateTime={createdAt}>
        {formatAgo(createdAt)}
      </time>
    </li>
  )
}
