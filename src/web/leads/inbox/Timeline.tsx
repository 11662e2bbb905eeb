import {
  IconArrowsExchange,
  IconCalendarEvent,
  IconClipboardText,
  IconClock,
  IconEye,
  IconFileText,
  IconMail,
  IconMailCheck,
  IconMailForward,
  IconPhone,
  IconRoute,
  IconShieldCheck,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { LeadEvent, LeadEventKind, LeadMessage } from '#contract/leads/leads/lead-events.ts'
import type { LeadRecord } from '#contract/leads/leads/leads.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { eventTitle } from './event-text.ts'
import { splitQuoted } from './quoted-text.ts'

const ICONS: Readonly<Partial<Record<LeadEventKind, TablerIcon>>> = {
  received: IconFileText,
  routed: IconRoute,
  delivery: IconMailForward,
  consent: IconShieldCheck,
  'message-in': IconMail,
  'message-out': IconMailForward,
  'auto-reply': IconMailCheck,
  opened: IconEye,
  viewed: IconEye,
  call: IconPhone,
  note: IconClipboardText,
  snoozed: IconClock,
  woken: IconClock,
  outcome: IconCalendarEvent,
  duplicate: IconArrowsExchange,
}

/** What happened to a lead, oldest first. `route`: why it is here, below the entry that says where it was sent. */
export function Timeline({ lead, route }: { lead: LeadRecord; route?: ReactNode }) {
  const lastRouted = lead.timeline.findLast(({ kind }) => kind === 'routed')?.id
  return (
    <ol className="fc-lead-timeline" aria-label="Timeline">
      {lead.timeline.map((event) => (
        <Entry key={event.id} event={event}>
          {event.kind === 'received' && lead.comments !== null && (
            <article className="fc-lead-message">
              <p className="fc-small fc-soft">
                <bdi>{`${lead.personName}, from ${lead.sourceName}`}</bdi>
              </p>
              <p className="fc-lead-text">
                <bdi>{lead.comments}</bdi>
              </p>
            </article>
          )}
          {event.id === lastRouted && route}
        </Entry>
      ))}
    </ol>
  )
}

function Entry({ event, children }: { event: LeadEvent; children: ReactNode }) {
  const Icon = ICONS[event.kind] ?? IconUser
  const text = event.message === null ? event.data.text : undefined
  return (
    <li>
      <span className="fc-lead-mark" aria-hidden="true">
        <Icon size={14} stroke={1.6} />
      </span>
      <div>
        <p className="fc-lead-event">
          <bdi>{eventTitle(event)}</bdi>
          <time className="fc-small fc-soft" dateTime={event.at}>
            {formatAgo(event.at)}
          </time>
        </p>
        {text !== undefined && text !== '' && (
          <p className="fc-small fc-soft fc-lead-text">
            <bdi>{text}</bdi>
          </p>
        )}
        {event.message !== null && <Message message={event.message} />}
        {children}
      </div>
    </li>
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

function Message({ message }: { message: LeadMessage }) {
  const { fromName, fromEmail, subject, text, delivery, error } = message
  const { own, quoted } = splitQuoted(text)
  return (
    <article className="fc-lead-message" data-direction={message.direction}>
      <h4>
        <bdi>{subject || 'No subject'}</bdi>
      </h4>
      <p className="fc-small fc-soft">
        <bdi>
          {[fromName, message.direction === 'in' && fromEmail].filter(Boolean).join(', ') || fromEmail}
        </bdi>
      </p>
      <p className="fc-lead-text">
        <bdi>{own || 'The email has no text.'}</bdi>
      </p>
      {quoted !== '' && (
        <details className="fc-small">
          <summary>Earlier emails</summary>
          <p className="fc-lead-text fc-soft">
            <bdi>{quoted}</bdi>
          </p>
        </details>
      )}
      {delivery !== null && (
        <p className="fc-small fc-soft">
          <bdi>{[DELIVERY[delivery], error].filter((part) => part !== null).join(': ')}</bdi>
        </p>
      )}
    </article>
  )
}
