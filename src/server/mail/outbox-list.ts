import { sql, type Kysely, type SqlBool } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { outbox } from '#contract/mail/outbox.ts'
import { contains, orderBy } from '#server/database/paging.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

/** What is shown of a mail without its words. */
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
] as const

const sorts = {
  createdAt: sql`created_at`,
  toName: sql`lower(to_name)`,
  subject: sql`lower(subject)`,
  state: sql`state`,
  sentAt: sql`sent_at`,
}

/** One page of the mails in reach. The customer is named again, beside row level security, for the index. */
export async function listMails(db: Database, customerId: string, input: Received<typeof outbox.list>) {
  const { page, pageSize, search, state, sort = [{ field: 'createdAt', descending: true }] } = input
  const own = db.selectFrom('outboxMails').where('customerId', '=', customerId)
  const isMatch = sql.join<SqlBool>(
    [
      sql`true`,
      ...(state === undefined ? [] : [sql`state = ${state}`]),
      ...(search ? [contains([sql.ref('to_name'), sql.ref('to_email'), sql.ref('subject')], search)] : []),
    ],
    sql` and `,
  )
  const [results, counts] = await Promise.all([
    own
      .where(isMatch)
      .select(shownMail)
      .orderBy(orderBy(sort, sorts, sql`id`))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute(),
    own
      .select((eb) => [eb.fn.countAll().filterWhere(isMatch).as('filtered'), eb.fn.countAll().as('total')])
      .executeTakeFirstOrThrow(),
  ])
  return { filteredRows: Number(counts.filtered), totalRows: Number(counts.total), results }
}

/** How many mails failed in the actor's reach, counted outside a tenant's transaction: the menu has none. */
export async function countFailedMails(
  iam: Kysely<DB>,
  { customerId, organizationId, reach }: Pick<Member, 'customerId' | 'organizationId' | 'reach'>,
): Promise<number> {
  const failed = iam
    .selectFrom('outboxMails')
    .where('customerId', '=', customerId)
    .where('state', '=', 'failed')
    .select((eb) => eb.fn.countAll().as('count'))
  const reached = reach === 'customer' ? failed : failed.where('organizationId', '=', organizationId)
  const { count } = await reached.executeTakeFirstOrThrow()
  return Number(count)
}
