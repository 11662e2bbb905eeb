import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { MailOutcome } from './MailState.tsx'

/** What its provider told of a mail, newest first. Nothing stands there while nothing was told. */
export function MailEvents({ mail: { events } }: { mail: OpenMail }) {
  if (events.length === 0) return null
  return (
    <ul className="fc-mail-events" aria-label="Heard since">
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
