import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { MailOutcome } from './MailStatus.tsx'

/** Delivery events of an email, newest first. Hidden while there are none. */
export function MailEvents({ mail: { events } }: { mail: OpenMail }) {
  if (events.length === 0) return null
  return (
    <ul className="fc-mail-events" aria-label="Delivery events">
      {events.map(({ id, kind, at, detail }) => (
        <li key={id}>
          <MailOutcome of={kind} />
          <span className="fc-soft fc-number">{formatAgo(at)}</span>
          {detail !== null && (
            <span className="fc-second">
              <bdi>{detail}</bdi>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
