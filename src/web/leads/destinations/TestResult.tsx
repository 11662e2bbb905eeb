import { useQuery } from '@tanstack/react-query'
import { type LeadDeliveryRecord, leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { live, WATCHED_MS } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** What became of a test delivery: waits until it is delivered or has failed. */
export function TestResult({ deliveryId }: { deliveryId: string }) {
  const { data, error } = useQuery(
    live(query(leadDeliveries.get, { id: deliveryId }), {
      while: (delivery) => !isOver(delivery),
      ms: WATCHED_MS,
    }),
  )
  return (
    <p className="fc-test-result" aria-live="polite">
      <Outcome delivery={data} isFailed={error !== null && data === undefined} />{' '}
      <Link
        to="/customers/lead-routing/deliveries"
        search={{ delivery: deliveryId }}
        className="fc-link fc-small"
      >
        Open the test delivery
      </Link>
    </p>
  )
}

/** No further attempt is due within seconds: finished, or an attempt failed and the next one comes later. */
function isOver(delivery: LeadDeliveryRecord | undefined): boolean {
  if (delivery === undefined) return false
  return delivery.state !== 'sending' && (delivery.state !== 'queued' || delivery.attempts > 0)
}

function Outcome({ delivery, isFailed }: { delivery: LeadDeliveryRecord | undefined; isFailed: boolean }) {
  if (isFailed) {
    return (
      <Status tone="warn" mark="alert">
        The test was sent, but its result can't be loaded.
      </Status>
    )
  }
  if (delivery === undefined || !isOver(delivery)) {
    return (
      <Status tone="info" mark="wait">
        Sending a test lead
      </Status>
    )
  }
  const { state, response, kind } = delivery
  const answer = response === null ? '' : `: ${response}`
  if (state === 'delivered') {
    return (
      <Status tone="good" mark="check">
        <bdi>{kind === 'webhook' ? `The receiver accepted it${answer}` : `Test email sent${answer}`}</bdi>
      </Status>
    )
  }
  if (state === 'in-doubt') {
    return (
      <Status tone="warn" mark="alert">
        It may have arrived. It is sent again with the same ID.
      </Status>
    )
  }
  return (
    <Status tone="bad" mark="alert">
      <bdi>{state === 'failed' ? `The test failed${answer}` : `The first attempt failed${answer}`}</bdi>
    </Status>
  )
}
