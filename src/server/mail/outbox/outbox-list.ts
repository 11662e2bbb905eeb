import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { MAIL_LIST } from '#contract/mail/outbox/mail-list.ts'
import { readsBuyers } from '#contract/leads/people/reads-buyers.ts'
import type { outbox } from '#contract/mail/outbox/outbox.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { contains } from '#server/lists/contains.ts'
import { type ListSource, widened } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'

/** The columns of an email, without its text. */
export const shownMail = [
  'id',
  'toName',
  'toEmail',
  'subject',
  'state',
  'attempts',
  'error',
  'createdAt',
  'sentAt',
  'nextAttemptAt',
  'outcome',
] as const

const column = (name: string) => ({ value: sql.ref(`m.${name}`) })

/** Which emails `m` a user may know of, besides row-level security: those that name buyers only with permission to read leads. */
export const isMailFor = (actor: Pick<Member, 'may'>): RawBuilder<SqlBool> =>
  readsBuyers(actor) ? sql`true` : sql`not m.is_about_buyer`

/** The emails in the outbox, without their text. */
export const mailSource: ListSource<keyof typeof MAIL_LIST.fields> = {
  list: MAIL_LIST,
  from: sql`outbox_mails m`,
  within: (actor) => sql`m.customer_id = ${actor.customerId} and ${isMailFor(actor)}`,
  id: sql`m.id`,
  title: sql`m.subject`,
  fields: {
    subject: { ...column('subject'), isNeverNull: true },
    toName: { ...column('to_name'), isNeverNull: true },
    toEmail: column('to_email'),
    state: column('state'),
    // Null is a filter option too.
    outcome: { value: sql`coalesce(m.outcome, 'none')` },
    attempts: column('attempts'),
    error: column('error'),
    createdAt: { ...column('created_at'), isNeverNull: true },
    sentAt: column('sent_at'),
  },
  search: (text) =>
    contains(
      ['to_name', 'to_email', 'subject'].map((name) => sql.ref(`m.${name}`)),
      text,
    ),
  widen: async (_, actor, source) => (readsBuyers(actor) ? source : { ...source, shape: 'no buyers' }),
}

/** One page of the emails within reach. */
export async function listMails(db: Database, actor: Member, input: Received<typeof outbox.list>) {
  const { ids, ...counts } = await readPage(db, actor, await widened(db, actor, mailSource), input)
  const rows = await db
    .selectFrom('outboxMails as m')
    .select(shownMail)
    .where('m.customerId', '=', actor.customerId)
    .where(isOneOf(mailSource, ids))
    .execute()
  return { ...counts, results: inOrder(ids, rows) }
}

/** The number of failed emails within the actor's reach. Runs outside a tenant transaction, for the menu. */
export async function countFailedMails(
  iam: Kysely<DB>,
  actor: Pick<Member, 'customerId' | 'organizationId' | 'reach' | 'may'>,
): Promise<number> {
  const failed = iam
    .selectFrom('outboxMails as m')
    .where('customerId', '=', actor.customerId)
    .where('state', '=', 'failed')
    .where(isMailFor(actor))
    .select((eb) => eb.fn.countAll().as('count'))
  const reached =
    actor.reach === 'customer' ? failed : failed.where('organizationId', '=', actor.organizationId)
  const { count } = await reached.executeTakeFirstOrThrow()
  return Number(count)
}
