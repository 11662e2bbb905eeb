import { sql } from 'kysely'
import {
  type AnswerTemplate,
  answerTemplateRecord,
  type answerTemplates,
  MAX_TEMPLATES,
} from '#contract/leads/reply-templates/answer-templates.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { columnMap } from '#server/lists/column-map.ts'

const columns = columnMap(answerTemplateRecord, 'leadAnswerTemplates', { id: 'id', updatedAt: 'instant' })
const MANAGED = 'Answer templates are managed'

/** Texts for answers to buyers. All stores of a customer share them. */
export const answerTemplateHandlers: Handlers<typeof answerTemplates> = {
  async list({ db, actor }) {
    const { rows } = await sql<AnswerTemplate>`select ${columns.select} from lead_answer_templates
      where customer_id = ${actor.customerId} order by name_key, id`.execute(db)
    return rows
  },

  get: ({ db, input: { id } }) => readTemplate(db, id),

  async add({ db, actor, input }) {
    requireCustomerReach(actor, MANAGED)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from lead_answer_templates where customer_id = ${actor.customerId}`.execute(
      db,
    )
    if ((rows[0]?.count ?? 0) >= MAX_TEMPLATES)
      throw conflict(`There can be at most ${MAX_TEMPLATES} templates.`)
    const { id } = await explainRefusal(
      db
        .insertInto('leadAnswerTemplates')
        .values(columns.write(input))
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    return readTemplate(db, id)
  },

  async update({ db, actor, input: { id, version, ...changes } }) {
    requireCustomerReach(actor, MANAGED)
    await sql`select from lead_answer_templates where id = ${id} for update`.execute(db)
    const current = await readTemplate(db, id)
    if (version !== undefined && version !== current.version) throw stale('This template', current)
    await explainRefusal(
      db
        .updateTable('leadAnswerTemplates')
        .set({ version: sql`version`, ...columns.write(changes) })
        .where('id', '=', id)
        .execute(),
    )
    return readTemplate(db, id)
  },

  async remove({ db, actor, input }) {
    requireCustomerReach(actor, MANAGED)
    await requireSeen(db, input, { table: 'leadAnswerTemplates', noun: 'template', read: readTemplate })
    const removed = await db
      .deleteFrom('leadAnswerTemplates')
      .where('id', '=', input.id)
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) throw notFound('Template')
    return null
  },
}

/** @throws Failure 404 */
async function readTemplate(db: Database, id: string): Promise<AnswerTemplate> {
  const { rows } = await sql<AnswerTemplate>`
    select ${columns.select} from lead_answer_templates where id = ${id}`.execute(db)
  const [template] = rows
  if (template === undefined) throw notFound('Template')
  return template
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique'))
      throw conflict('Another template already has this name.', { name: 'This name is already in use.' })
    throw error
  }
}
