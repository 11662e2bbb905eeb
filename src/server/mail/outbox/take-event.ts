import { sql, type Kysely } from 'kysely'
import type { mailEvents, PostmarkEvent } from '#contract/mail/outbox/mail-events.ts'
import type { DB } from '#server/database/schema.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Secrets } from '#server/secrets.ts'
import { readEventsKey } from '../handlers/handler-row.ts'

/** What is told of one mail beyond this is let pass. */
const MOST_EVENTS = 200
/** Types of bounces after which an address is of no use (Postmark, "Bounce types"). */
const FOR_GOOD = new Set(['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated'])
/** Answers of machines, which Postmark lists among the bounces. */
const NO_BOUNCES = new Set([
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
  isForGood: boolean
}

/** Takes what Postmark tells, at the address of a handler that nobody guesses. There is no tenant: the key says whose. */
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
      const told = readTold(input)
      if (told === null || !input.MessageID) return null
      await note(iam, { ...handler, messageId: input.MessageID }, told)
      return null
    },
  }
}

/** What an event says of a mail; null when it is of a type that says nothing here. */
function readTold(event: PostmarkEvent): DeliveryEvent | null {
  const said = [event.Description, event.Details].filter(Boolean).join(' ').replace(/\s+/g, ' ').slice(0, 300)
  const detail = said === '' ? null : said
  const told = (
    kind: Kind,
    at: string | null | undefined,
    more: Partial<DeliveryEvent> = {},
  ): DeliveryEvent => {
    const moment = at == null || Number.isNaN(Date.parse(at)) ? null : new Date(at).toISOString()
    return { kind, at: moment, detail: null, sourceKey: `${kind}/${at ?? ''}`, isForGood: false, ...more }
  }
  switch (event.RecordType) {
    case 'Delivery':
      return told('delivered', event.DeliveredAt, { sourceKey: 'delivered' })
    case 'Open':
      return told('opened', event.ReceivedAt)
    case 'Click':
      // Not which link: it may open an account.
      return told('clicked', event.ReceivedAt)
    case 'SpamComplaint':
      return told('complained', event.BouncedAt, {
        detail,
        isForGood: true,
        sourceKey: `complained/${event.ID}`,
      })
    case 'Bounce': {
      const type = event.Type ?? ''
      if (NO_BOUNCES.has(type)) return null
      const isForGood = FOR_GOOD.has(type)
      return told('bounced', event.BouncedAt, {
        detail: detail ?? type,
        isForGood,
        sourceKey: `bounced/${event.ID}`,
      })
    }
    default:
      return null
  }
}

/**
 * Notes an event at its mail, once, in one statement; the mail's outcome only ever tells more than before. The address
 * that is put on the list is the mail's, never one that the event names.
 */
async function note(
  iam: Kysely<DB>,
  mail: { customerId: string; id: string; messageId: string },
  { kind, at, detail, sourceKey, isForGood }: DeliveryEvent,
): Promise<void> {
  await sql`
    with mail as (
      select m.customer_id, m.id, m.organization_id, m.to_email from outbox_mails m
      where m.customer_id = ${mail.customerId} and m.message_id = ${mail.messageId} and m.handler_id = ${mail.id}
        and (select count(*) from mail_events e where e.customer_id = m.customer_id and e.mail_id = m.id) < ${MOST_EVENTS}
    ), noted as (
      insert into mail_events (customer_id, mail_id, organization_id, kind, at, detail, source_key)
      select customer_id, id, organization_id, ${kind}, coalesce(${at}::timestamptz, app_now()), ${detail}::text, ${sourceKey} from mail
      on conflict do nothing returning mail_id
    ), suppressed as (
      insert into suppressed_addresses (customer_id, email, reason, detail)
      select customer_id, to_email, ${kind}, ${detail}::text from mail
      where ${isForGood} and exists (select from noted)
      on conflict do nothing
    )
    update outbox_mails m set outcome = ${kind} from mail, noted
    where m.customer_id = mail.customer_id and m.id = mail.id
      and coalesce(array_position(${RANKS}::text[], m.outcome), 0) < array_position(${RANKS}::text[], ${kind})`.execute(
    iam,
  )
}

const RANKS = ['delivered', 'opened', 'clicked', 'bounced', 'complained']
