import type { LeadDeliveryRecord } from '#contract/leads/deliveries/lead-deliveries.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { STATE_LOOKS } from './delivery-looks.ts'

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
type Attempt = LeadDeliveryRecord['log'][number]

const OUTCOMES: Readonly<Record<Attempt['outcome'], string>> = {
  sending: 'Sending',
  delivered: 'Delivered',
  failed: 'Failed',
  'in-doubt': 'Unconfirmed',
}

/** The attempts of a delivery, newest first, each with the receiver's response. */
export function DeliveryAttempts({ delivery: { log, state } }: { delivery: LeadDeliveryRecord }) {
  return (
    <section className="fc-delivery-part">
      <h3>Attempts</h3>
      {log.length === 0 && (
        <p className="fc-small fc-soft">
          {state === 'queued' || state === 'sending'
            ? 'The first attempt starts within seconds.'
            : 'No attempt was recorded.'}
        </p>
      )}
      <ol className="fc-attempts" aria-label="Attempts">
        {log.map((attempt) => (
          <li key={attempt.number}>
            <span className="fc-row">
              <Status {...STATE_LOOKS[attempt.outcome]}>{OUTCOMES[attempt.outcome]}</Status>
              <span className="fc-small fc-faint">
                <bdi>{describeAttempt(attempt)}</bdi>
              </span>
            </span>
            {attempt.response !== null && attempt.response !== '' && (
              <pre
                dir="auto"
                aria-label={`Response to attempt ${attempt.number}`}
                // It scrolls, so the keyboard has to reach it.
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
                tabIndex={0}
              >
                {attempt.response}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** "Attempt 2, HTTP 503, Nov 18, 2026, 7:36:02 AM, 340 ms". */
function describeAttempt({ number, status, startedAt, endedAt }: Attempt): string {
  const parts = [`Attempt ${number}`]
  if (status !== null) parts.push(`HTTP ${status}`)
  parts.push(exactly.format(new Date(startedAt)))
  if (endedAt !== null) {
    const ms = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt))
    parts.push(
      ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`,
    )
  }
  return parts.join(', ')
}
