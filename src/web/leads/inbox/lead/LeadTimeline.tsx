import {
  IconArrowsExchange,
  IconCalendarEvent,
  IconClipboardText,
  IconClock,
  IconEye,
  IconFileText,
  IconPaperclip,
  IconHistory,
  IconMail,
  IconMailCheck,
  IconMailForward,
  IconPhone,
  IconRoute,
  IconShieldCheck,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link } from '#web/ui/controls/Link.tsx'
import { type ReactNode, useState } from 'react'
import type { LeadEvent, LeadEventKind, LeadMessage } from '#contract/leads/inbox/lead-events.ts'
import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { query } from '#web/api/query.ts'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { SourceText } from '../../inbound/SourceText.tsx'
import { Attachments } from './Attachments.tsx'
import { eventTitle, otherText } from './event-text.ts'
import { timeOf } from './lead-clock.ts'
import { useNow } from '../use-now.ts'
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
  files: IconPaperclip,
  snoozed: IconClock,
  woken: IconClock,
  outcome: IconCalendarEvent,
  duplicate: IconArrowsExchange,
}

/** What happened to a lead, oldest first. `route`: why it is here, below the entry that says where it was sent. */
export function LeadTimeline({ lead, route }: { lead: LeadRecord; route?: ReactNode }) {
  const now = useNow()
  const lastRouted = lead.timeline.findLast(({ kind }) => kind === 'routed')?.id
  return (
    <ol className="fc-lead-timeline" aria-label="Timeline">
      <EarlierLeads lead={lead} />
      {lead.timeline.map((event) => (
        <Entry key={event.id} event={withoutNames(event, lead)} at={{ now, zone: lead.zone }}>
          {event.kind === 'received' && <CameInAs lead={lead} />}
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
          {event.kind === 'files' && <Attachments files={filesOf(event, lead)} />}
          {event.id === lastRouted && route}
        </Entry>
      ))}
    </ol>
  )
}

/** The files of one email. None if the lead was moved and has them under other IDs: its facts have all of them. */
const filesOf = ({ data }: LeadEvent, { attachments }: LeadRecord): LeadRecord['attachments'] =>
  attachments.filter(({ id }) => data.fileIds?.includes(id))

/** Files that are shown aren't named a second time. */
const withoutNames = (event: LeadEvent, lead: LeadRecord): LeadEvent =>
  filesOf(event, lead).length === 0 ? event : { ...event, data: { ...event.data, text: '' } }

/** The earlier leads of the same buyer that are shown before this one. */
const EARLIER = 2

/** What became of the buyer's earlier leads. The person's facts list all of them. */
function EarlierLeads({ lead }: { lead: LeadRecord }) {
  const earlier = lead.otherLeads.filter(({ receivedAt }) => receivedAt < lead.receivedAt).slice(0, EARLIER)
  return earlier.toReversed().map((other) => (
    <li key={other.id}>
      <span className="fc-lead-mark" aria-hidden="true">
        <IconHistory size={14} stroke={1.6} />
      </span>
      <div>
        <p className="fc-lead-event">
          <bdi>{`Earlier lead: ${otherText(other)}`}</bdi>
          <time className="fc-small fc-soft" dateTime={other.receivedAt}>
            {formatDay(other.receivedAt)}
          </time>
        </p>
        <p className="fc-small fc-soft">
          <bdi>
            {[
              other.lostReason,
              other.ownerName !== null && `Handled by ${other.ownerName}`,
              other.messages > 0 && count(other.messages, 'message', 'messages'),
            ]
              .filter(Boolean)
              .join(', ')}
          </bdi>
        </p>
      </div>
    </li>
  ))
}

/** What was unusual about the document or the email, and its text. */
function CameInAs({ lead: { id, source, submissionId } }: { lead: LeadRecord }) {
  const [isOpen, setIsOpen] = useState(false)
  if (source === null && submissionId === null) return null
  const warnings = source?.warnings ?? []
  return (
    <>
      {warnings.length > 0 && (
        <ul className="fc-small fc-lead-warnings" aria-label={count(warnings.length, 'warning', 'warnings')}>
          {warnings.map((warning) => (
            <li key={warning}>
              <bdi>{warning}</bdi>
            </li>
          ))}
        </ul>
      )}
      <details className="fc-small" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="fc-lead-why">{source === null ? 'Answers as sent' : 'Text as received'}</summary>
        {isOpen && <LeadText leadId={id} />}
      </details>
    </>
  )
}

function LeadText({ leadId }: { leadId: string }) {
  return (
    <Loaded
      query={query(leads.source, { id: leadId })}
      what="the text"
      shape={<p className="fc-soft">Loading the text</p>}
    >
      {(data) =>
        data.isOfSeveralStores ? (
          <p className="fc-soft">
            This message also has leads of other stores. Only people with access to all stores read its text.
            Everything about this lead is shown above.
          </p>
        ) : (
          <>
            {data.correctedText !== null && (
              <>
                <p className="fc-soft">A user corrected it to:</p>
                <SourceText label="Corrected text">{data.correctedText}</SourceText>
                <p className="fc-soft">It came in as:</p>
              </>
            )}
            <SourceText label="Text as received">{data.text ?? '(empty)'}</SourceText>
          </>
        )
      }
    </Loaded>
  )
}

/** What an entry says below its headline. A consent quotes what the buyer agreed to. */
function entryText({ kind, message, data }: LeadEvent): string {
  if (data.text === undefined || data.text === '') return ''
  if (kind === 'message-out') return `Sent anyway. ${data.text}`
  if (message !== null) return ''
  if (kind !== 'consent') return data.text
  return `\u201c${data.text}\u201d${data.version == null ? '' : `, version ${data.version}`}`
}

type EntryProps = {
  event: LeadEvent
  /** The present time in milliseconds, and the time zone of the lot. */
  at: { now: number; zone: string }
  children: ReactNode
}

function Entry({ event, at, children }: EntryProps) {
  const Icon = ICONS[event.kind] ?? IconUser
  const text = entryText(event)
  return (
    <li>
      <span className="fc-lead-mark" aria-hidden="true">
        <Icon size={14} stroke={1.6} />
      </span>
      <div>
        <p className="fc-lead-event">
          <bdi>{eventTitle(event)}</bdi>
          <time className="fc-small fc-soft" dateTime={event.at}>
            {timeOf(Date.parse(event.at), at)}
          </time>
        </p>
        {text !== '' && (
          <p className="fc-small fc-soft fc-lead-text">
            <bdi>{text}</bdi>
          </p>
        )}
        {event.data.leadId !== undefined && (
          <Link to="/customers/leads" search={{ lead: event.data.leadId }} className="fc-link fc-small">
            {`Open lead ${event.data.leadId}`}
          </Link>
        )}
        {event.message !== null && <Message message={event.message} />}
        {children}
      </div>
    </li>
  )
}

const DELIVERY: Readonly<Record<NonNullable<LeadMessage['delivery']>, string>> = {
  waiting: 'Waiting to be sent',
  kept: "Not sent: emails are kept in the outbox, so the buyer hasn't got it",
  sent: 'Sent',
  failed: 'Not sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Came back',
  complained: 'Reported as spam',
}

function Message({ message }: { message: LeadMessage }) {
  const { fromName, fromEmail, subject, text, delivery, error } = message
  const { own, quoted } = splitQuoted(text)
  return (
    <article className="fc-lead-message" data-direction={message.direction}>
      <h3>
        <bdi>{subject || 'No subject'}</bdi>
      </h3>
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
