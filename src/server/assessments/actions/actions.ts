import { sql } from 'kysely'
import {
  type Action,
  ACTION_LIST,
  actionRecord,
  type assessmentActions,
} from '#contract/assessments/actions/actions.ts'
import { readAssessment } from '../assessments/assessment-rows.ts'
import { readTargetContext } from '../targets/target-context.ts'
import { readPinnedVersion } from '../targets/pinned-version.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Handlers } from '#server/http/serve.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'

const INVALID = 'Some fields are invalid.'
const owner = sql<string>`(u.first_name || ' ' || u.last_name)`
const target = sql<string>`coalesce(f.name, o.name)`
const isOverdue = sql<boolean>`coalesce(n.status = 'open' and n.due_on < today(o.time_zone), false)`

const actionColumns = columnMap(
  actionRecord,
  'assessmentActions',
  {
    id: 'id',
    targetId: 'id',
    organizationId: 'id',
    ownerId: 'id',
    dueOn: sql`n.due_on::text`,
    doneOn: sql`n.done_on::text`,
    costCents: sql`n.cost_cents::float8`,
    expectedTonnes: sql`trim_scale(n.expected_tonnes)::text`,
    assessmentId: sql`t.assessment_id::text`,
    assessmentName: sql`a.name`,
    targetName: target,
    ownerName: owner,
    isOverdue,
    currency: sql`(select c.currency from customers c where c.id = n.customer_id)`,
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  'n',
)

/** Actions of the targets within reach. */
export const actionSource: ListSource<keyof typeof ACTION_LIST.fields> = {
  list: ACTION_LIST,
  from: sql`assessment_actions n
    join assessment_targets t on t.customer_id = n.customer_id and t.id = n.target_id
    join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    join organizations o on o.customer_id = n.customer_id and o.id = n.organization_id
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    left join users u on u.customer_id = n.customer_id and u.id = n.owner_id`,
  within: (actor) => sql`n.customer_id = ${actor.customerId}`,
  id: sql`n.id`,
  title: sql`n.title`,
  fields: actionColumns.listFields(ACTION_LIST, {
    title: { isNeverNull: true },
    assessmentId: { value: sql`t.assessment_id::text`, joins: 'value', isNeverNull: true },
    assessmentName: { value: sql`a.name`, joins: 'value', isNeverNull: true },
    targetName: { value: target, joins: 'value', isNeverNull: true },
    ownerName: { value: owner, joins: 'value' },
    isOverdue: { value: isOverdue, joins: 'value', isNeverNull: true },
    status: { isNeverNull: true },
  }),
  search: (text) => contains([sql.ref('n.title'), target, owner], text),
  searchJoins: true,
}

/** What is done about gaps. Actions belong to the organization of their target. */
export const assessmentActionHandlers: Handlers<typeof assessmentActions> = {
  async list({ db, actor, input: { assessment, target: targetId, ...input } }) {
    if (assessment !== undefined) await readAssessment(db, assessment)
    if (targetId !== undefined) await readTargetContext(db, targetId)
    const source = {
      ...actionSource,
      within: (reader: Member) =>
        sql<boolean>`${actionSource.within(reader)}
          and (${assessment ?? null}::bigint is null or t.assessment_id = ${assessment ?? null}::bigint)
          and (${targetId ?? null}::bigint is null or n.target_id = ${targetId ?? null}::bigint)`,
    }
    const { ids, ...counts } = await readPage(db, actor, source, input)
    const rows = ids.length === 0 ? [] : await readActions(db, actor, ids)
    return { ...counts, results: inOrder(ids, rows) }
  },

  get: ({ db, input: { id } }) => readAction(db, id),

  add: ({ db, input }) => addAction(db, input),

  async update({ db, input: { id, version, ...sent } }) {
    const { targetId } = await readAction(db, id)
    const changes = { ...sent, targetId: undefined }
    const { zone } = await requireQuestion(db, targetId, changes.questionCode ?? null)
    await requireOwner(db, changes.ownerId ?? null)
    const { status } = changes
    const done = status === 'done' ? sql<string>`coalesce(done_on, today(${zone}))` : null
    const action = db.updateTable('assessmentActions').where('id', '=', id).returning('id')
    const change = action.set({
      version: sql`version`,
      ...columnsOf(changes),
      ...(status !== undefined && { doneOn: done }),
    })
    const changed = await (
      version === undefined ? change : change.where('version', '=', version)
    ).executeTakeFirst()
    const current = await readAction(db, id)
    if (changed === undefined) throw stale('This action', current)
    return current
  },

  async remove({ db, input }) {
    await requireSeen(db, input, { table: 'assessmentActions', noun: 'action', read: readAction })
    const removed = await db
      .deleteFrom('assessmentActions')
      .where('id', '=', input.id)
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) throw notFound('Action')
    return null
  },
}

/** Adds an action. @throws Failure 400 for an unknown question or owner, 404 */
export async function addAction(
  db: Database,
  input: Received<typeof assessmentActions.add>,
): Promise<Action> {
  const context = await requireQuestion(db, input.targetId, input.questionCode ?? null)
  await requireOwner(db, input.ownerId ?? null)
  const { id } = await db
    .insertInto('assessmentActions')
    .values({
      ...columnsOf(input),
      targetId: input.targetId,
      title: input.title,
      organizationId: context.organizationId,
      doneOn: input.status === 'done' ? sql<string>`today(${context.zone})` : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return readAction(db, id)
}

/** Input as column values: large numbers are text. */
function columnsOf<Input extends { costCents?: number | null | undefined }>({ costCents, ...rest }: Input) {
  const cost = costCents === null || costCents === undefined ? costCents : String(costCents)
  return { ...actionColumns.write(rest), costCents: cost }
}

async function readAction(db: Database, id: string): Promise<Action> {
  const { rows } = await sql<Action>`
    select ${actionColumns.select} from ${actionSource.from} where n.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound('Action')
  return actionRecord.schema.parse(row)
}

async function readActions(db: Database, actor: Member, ids: readonly string[]): Promise<Action[]> {
  const { rows } = await sql<Action>`
    select ${actionColumns.select} from ${actionSource.from}
    where n.customer_id = ${actor.customerId} and ${isOneOf(actionSource, ids)}`.execute(db)
  return actionRecord.schema.array().parse(rows)
}

/** @throws Failure 404 for a target out of reach, 400 for a question that its questionnaire doesn't have */
async function requireQuestion(db: Database, targetId: string, questionCode: string | null) {
  const context = await readTargetContext(db, targetId)
  if (questionCode === null) return context
  const { compiled } = await readPinnedVersion(db, context)
  if (!compiled.byCode.has(questionCode))
    throw refused(INVALID, { questionCode: 'Choose a question of this questionnaire.' })
  return context
}

/** @throws Failure 400 for a user who doesn't exist or can't sign in */
async function requireOwner(db: Database, ownerId: string | null): Promise<void> {
  if (ownerId === null) return
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', ownerId)
    .where('isActive', '=', true)
    .executeTakeFirst()
  if (found === undefined) throw refused(INVALID, { ownerId: 'Choose a user who can sign in.' })
}
