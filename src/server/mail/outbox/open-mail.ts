import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'
import { shownMail } from './outbox-list.ts'
import { UNREADABLE, decryptText, type DecryptText } from './sealed-text.ts'

const MASK = '\u2022'.repeat(12)

/** Masks what gives access to an account: the part of a link after the #, and six-digit codes. */
export function maskSecrets(text: string): string {
  return text.replace(/(https?:\/\/[^\s#]+#)\S+/g, `$1${MASK}`).replace(/(?<![\w#/.-])\d{6}(?![\w/-])/g, MASK)
}

type Opened = OpenMail & { userId: string | null }

/**
 * Reads an email with its decrypted text: by ID, or the latest one to a user.
 * @throws Failure 404 if it doesn't exist or isn't visible to the connection, 409 if it can't be decrypted.
 */
export async function openMail(
  db: Kysely<DB>,
  outbox: { open: DecryptText },
  of: { id: string } | { customerId: string; userId: string },
): Promise<Opened> {
  const one = db
    .selectFrom('outboxMails')
    .select([...shownMail, 'customerId', 'userId', 'hasSecret', 'textSealed'])
    .select((eb) => [
      eb
        .selectFrom('emailHandlers as h')
        .select('h.name')
        .whereRef('h.customerId', '=', 'outboxMails.customerId')
        .whereRef('h.id', '=', 'outboxMails.handlerId')
        .as('handlerName'),
      sql<OpenMail['events']>`(select coalesce(json_agg(json_build_object('id', e.id::text, 'kind', e.kind,
        'at', ${instant(sql`e.at`)}, 'detail', e.detail) order by e.at desc, e.id desc), '[]') from mail_events e
        where e.customer_id = outbox_mails.customer_id and e.mail_id = outbox_mails.id)`.as('events'),
    ])
  const row = await (
    'id' in of
      ? one.where('id', '=', of.id)
      : one
          .where('customerId', '=', of.customerId)
          .where('userId', '=', of.userId)
          .orderBy('createdAt', 'desc')
          .orderBy('id', 'desc')
          .limit(1)
  ).executeTakeFirst()
  if (row === undefined) throw notFound('Email')
  const text = decryptText(outbox, row)
  if (text === null) throw conflict(`${UNREADABLE} You can send a new link.`)
  return { ...row, text }
}
