import type { LeadEvent, LeadMessage } from '#contract/leads/leads/lead-events.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { eventTitle } from './event-text.ts'

/** What happened to a lead, oldest first. */
export function Timeline({ events }: { events: readonly LeadEvent[] }) {
  return (
    <ol className="fc-lead-timeline" aria-label="Timeline">
      {events.map((event) => (
        <li key={event.id}>
          <p className="fc-lead-event">
            <bdi>{eventTitle(event)}</bdi>
            <time className="fc-small fc-soft" dateTime={event.at}>
              {formatAgo(event.at)}
            </time>
          </p>
          {event.data.text !== undefined && event.message === null && (
            <p className="fc-small fc-soft">
              <bdi>{event.data.text}</bdi>
            </p>
          )}
          {event.message !== null && <Message message={event.message} />}
        </li>
      ))}
    </ol>
  )
}

const DELIVERY: Readonly<Record<NonNullable<LeadMessage['delivery']>, string>> = {
  waiting: 'Waiting to be sent',
  kept: "Kept in the outbox: emails aren't being sent",
  sent: 'Sent',
  failed: 'Not sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Reported as spam',
}

function Message({
  message: { fromName, fromEmail, subject, text, delivery, error },
}: {
  message: LeadMessage
}) {
  return (
    <article className="fc-lead-message">
      <h4>
        <bdi>{subject}</bdi>
      </h4>
      <p className="fc-small fc-soft">
        <bdi>{fromName ?? fromEmail}</bdi>
      </p>
      <p className="fc-lead-text">
        <bdi>{text}</bdi>
      </p>
      {delivery !== null && (
        <p className="fc-small fc-soft">
          <bdi>{[DELIVERY[delivery], error].filter((part) => part !== null).join(': ')}</bdi>
        </p>
      )}
    </article>
  )
}
