import { sql } from 'kysely'
import { SUPPRESSION_LIST } from '#contract/mail/suppressed/suppression-list.ts'
import type { suppressions } from '#contract/mail/suppressed/suppressions.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'

const column = (name: string) => ({ value: sql.ref(`a.${name}`) })

/** The addresses that no longer receive a customer's emails. */
export const suppressionSource: ListSource<keyof typeof SUPPRESSION_LIST.fields> = {
  list: SUPPRESSION_LIST,
  from: sql`suppressed_addresses a`,
  within: (actor) => sql`a.customer_id = ${actor.customerId}`,
  id: sql`a.id`,
  title: sql`a.email`,
  fields: {
    email: { ...column('email'), order: sql`a.email_key`, isNeverNull: true },
    reason: column('reason'),
    detail: column('detail'),
    createdAt: { ...column('created_at'), isNeverNull: true },
  },
  search: (text) => contains([sql.ref('a.email'), sql.ref('a.detail')], text),
}

/** A customer's suppressed addresses, for users with customer reach. */
export const suppressionHandlers: Handlers<typeof suppressions> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, suppressionSource, input)
    const rows = await db
      .selectFrom('suppressedAddresses as a')
      .select(['id', 'email', 'reason', 'detail', 'createdAt'])
      .where(isOneOf(suppressionSource, ids))
      .execute()
    return { ...counts, results: inOrder(ids, rows) }
  },

  async remove({ db, input }) {
    const removed = await db
      .deleteFrom('suppressedAddresses')
      .where('id', '=', input.id)
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) throw notFound('Suppressed address')
    return null
  },
}
