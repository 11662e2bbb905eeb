import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'
import { shownMail } from './outbox-list.ts'
import { UNREADABLE, wordsOf, type OpenWords } from './sealed-words.ts'

const COVER = '\u2022'.repeat(12)

/** The words with what opens an account covered: what stands behind the # of a link, and codes of six digits. */
export function coverSecrets(text: string): string {
  return text
    .replace(/(https?:\/\/[^\s#]+#)\S+/g, `$1${COVER}`)
    .replace(/(?<![\w#/.-])\d{6}(?![\w/-])/g, COVER)
}

type Opened = OpenMail & { userId: string | null }

/**
 * One mail with its words as they went out, and whom it is for; without a number the latest one to a person.
 * @throws Failure 404 when it is not there, or out of the connection's reach.
 */
export async function openMail(
  db: Kysely<DB>,
  outbox: { open: OpenWords },
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
  if (row === undefined) throw notFound('Mail')
  const text = wordsOf(outbox, row)
  if (text === null) throw conflict(`${UNREADABLE} Its link can be sent anew.`)
  return { ...row, text }
}
