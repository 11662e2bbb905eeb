import { sql, type Kysely } from 'kysely'
import type { mailEvents, PostmarkEvent } from '#contract/mail/outbox/mail-events.ts'
import type { DB } from '#server/database/schema.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Secrets } from '#server/secrets.ts'
import { readEventsKey } from '../handlers/handler-row.ts'

/** Further events of an email are ignored. */
const MAX_EVENTS = 200
/** Bounce types after which an address is unusable (Postmark, "Bounce types"). */
const PERMANENT = new Set(['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated'])
/** Automatic replies, which Postmark also reports as bounces. */
const AUTOMATIC_REPLIES = new Set([
  'AutoResponder',
  'Subscribe',
  'Unsubscribe',
  'AddressChange',
  'ChallengeVerification',
])

type Kind = 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained'
type DeliveryEvent = {
  kind: Kind
  at: string | null
  detail: string | null
  sourceKey: string
  isPermanent: boolean
}

/** Receives Postmark's events at a handler's unguessable URL. There is no tenant: the key identifies the handler. */
export function mailEventHandlers(iam: Kysely<DB>, secrets: Secrets): Handlers<typeof mailEvents> {
  return {
    async take({ input }) {
      const of = readEventsKey(secrets, input.key)
      const handler =
        of &&
        (await iam
          .selectFrom('emailHandlers')
          .select(['customerId', 'id'])
          .where('customerId', '=', of.customerId)
          .where('id', '=', of.id)
          .where('kind', '=', 'postmark')
          .executeTakeFirst())
      if (!handler) throw notFound('Email handler')
      const event = readEvent(input)
      if (event === null || !input.MessageID) return null
      await note(iam, { ...handler, messageId: input.MessageID }, event)
      return null
    },
  }
}

/** The delivery event in a webhook call; null for types that aren't used. */
function readEvent(event: PostmarkEvent): DeliveryEvent | null {
  const text = [event.Description, event.Details].filter(Boolean).join(' ').replace(/\s+/g, ' ').slice(0, 300)
  const detail = text === '' ? null : text
  const make = (
    kind: Kind,
    at: string | null | undefined,
    more: Partial<DeliveryEvent> = {},
  ): DeliveryEvent => {
    const moment = at == null || Number.isNaN(Date.parse(at)) ? null : new Date(at).toISOString()
    return { kind, at: moment, detail: null, sourceKey: `${kind}/${at ?? ''}`, isPermanent: false, ...more }
  }
  switch (event.RecordType) {
    case 'Delivery':
      return make('delivered', event.DeliveredAt, { sourceKey: 'delivered' })
    case 'Open':
      return make('opened', event.ReceivedAt)
    case 'Click':
      // Don't record which link: it may give access to an account.
      return make('clicked', event.ReceivedAt)
    case 'SpamComplaint':
      return make('complained', event.BouncedAt, {
        detail,
        isPermanent: true,
        sourceKey: `complained/${event.ID}`,
      })
    case 'Bounce': {
      const type = event.Type ?? ''
      if (AUTOMATIC_REPLIES.has(type)) return null
      const isPermanent = PERMANENT.has(type)
      return make('bounced', event.BouncedAt, {
        detail: detail ?? type,
        isPermanent,
        sourceKey: `bounced/${event.ID}`,
      })
    }
    default:
      return null
  }
}

/**
 * Records an event once, in one statement; an email's outcome only ever advances. The suppressed address is the email's,
 * never one from the event.
 */
async function note(
  iam: Kysely<DB>,
  mail: { customerId: string; id: string; messageId: string },
  { kind, at, detail, sourceKey, isPermanent }: DeliveryEvent,
): Promise<void> {
  await sql`
    with mail as (
      select m.customer_id, m.id, m.organization_id, m.to_email from outbox_mails m
      where m.customer_id = ${mail.customerId} and m.message_id = ${mail.messageId} and m.handler_id = ${mail.id}
        and (select count(*) from mail_events e where e.customer_id = m.customer_id and e.mail_id = m.id) < ${MAX_EVENTS}
    ), noted as (
      insert into mail_events (customer_id, mail_id, organization_id, kind, at, detail, source_key)
      select customer_id, id, organization_id, ${kind}, coalesce(${at}::timestamptz, app_now()), ${detail}::text, ${sourceKey} from mail
      on conflict do nothing returning mail_id
    ), suppressed as (
      insert into suppressed_addresses (customer_id, email, reason, detail)
      select customer_id, to_email, ${kind}, ${detail}::text from mail
      where ${isPermanent} and exists (select from noted)
      on conflict do nothing
    )
    update outbox_mails m set outcome = ${kind} from mail, noted
    where m.customer_id = mail.customer_id and m.id = mail.id
      and coalesce(array_position(${RANKS}::text[], m.outcome), 0) < array_position(${RANKS}::text[], ${kind})`.execute(
    iam,
  )
}

const RANKS = ['delivered', 'opened', 'clicked', 'bounced', 'complained']
