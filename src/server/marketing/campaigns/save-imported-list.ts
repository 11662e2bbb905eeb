import { sql } from 'kysely'
import { z } from 'zod'
import { importedLists, type ListProblem } from '#contract/marketing/campaigns/imported-lists.ts'
import { allowLongStatements, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { type JobKind, taskKind } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import type { ListRow, ListRows } from './read-list-rows.ts'

/** Rows of one step: about two seconds. A list with no more is imported at once. */
const CHUNK = 1_000
const MOST_PROBLEMS = 1_000
/** Of one step on a busy server. */
const STEP_MS = 60_000
const JOB = 'importedLists.add'

type NewList = Readonly<{
  name: string
  lotId: string
  organizationId: string
  fileName: string
  read: ListRows
}>

/** Adds the people of a long list, step by step. */
export const listJob: JobKind = taskKind({
  name: JOB,
  payload: z.object({ listId: z.string() }),
  needs: importedLists.add.allow,
  async work({ payload: { listId }, step, tell }) {
    for (let left = Infinity; left > 0;) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      left = await step(async (db) => {
        const { total, waiting } = await addNextPeople(db, listId)
        await tell(db, { done: total - waiting, total })
        return waiting
      })
    }
  },
})

/** Stores a list with its people, except the people of a long one: those wait for `startImport`. @returns its ID, and how many wait */
export async function saveImportedList(
  db: Database,
  list: NewList,
): Promise<{ id: string; waiting: number }> {
  await allowLongStatements(db, STEP_MS)
  const { name, lotId, organizationId, fileName, read } = list
  const { rows } = await sql<{ id: string }>`
    insert into imported_lists (organization_id, lot_id, name, file_name, row_count, invalid_count, duplicate_count, state, problems)
    values (${organizationId}, ${lotId}, ${name}, ${fileName}, ${read.total}, ${read.invalid}, ${read.duplicates}, 'importing',
      ${JSON.stringify(read.problems.slice(0, MOST_PROBLEMS))}) returning id::text`.execute(db)
  const id = rows[0]?.id ?? ''
  await sql`
    insert into imported_list_rows (list_id, organization_id, row_number, email, name, first_name, last_name, consent_source, consent_on)
    select ${id}, ${organizationId}, g.* from ${given(read.rows)}`.execute(db)
  if (read.rows.length > CHUNK) return { id, waiting: read.rows.length }
  return { id, waiting: (await addNextPeople(db, id)).waiting }
}

/** Adds the people who wait by a job. */
export async function startImport(
  db: Database,
  { startFile }: Pick<StartJobs, 'startFile'>,
  { actor, list }: { actor: Member; list: { id: string; name: string; waiting: number } },
): Promise<void> {
  const title = `Import ${list.waiting.toLocaleString('en-US')} people into “${list.name}”`
  const job = await startFile(db, actor, { kind: JOB, title, payload: { listId: list.id } })
  await sql`update imported_lists set job_id = ${job.id} where id = ${list.id}`.execute(db)
}

/**
 * The people of the next rows. An address belongs to the person of the organization who has it and whose name isn't another; otherwise
 * a person is added. Proof of consent becomes a consent of its own date, so that a later withdrawal counts.
 * @returns how many rows there were and still wait; none if the list is gone
 */
async function addNextPeople(db: Database, id: string): Promise<{ total: number; waiting: number }> {
  await allowLongStatements(db, STEP_MS)
  const { rows: lists } = await sql<{ organizationId: string; problems: ListProblem[] }>`
    select organization_id::text, problems from imported_lists where id = ${id} for update`.execute(db)
  const [list] = lists
  if (list === undefined) return { total: 0, waiting: 0 }
  const { rows: chunk } = await sql<ListRow>`
    delete from imported_list_rows where list_id = ${id} and row_number in (
      select row_number from imported_list_rows where list_id = ${id} order by row_number limit ${CHUNK})
    returning row_number as row, email, name, first_name, last_name, consent_source as source, consent_on::text as "on"`.execute(
    db,
  )
  const kept = new Set(await addPeople(db, { id, organizationId: list.organizationId }, chunk))
  const same: ListProblem[] = chunk
    .filter(({ row }) => !kept.has(row))
    .map(({ row }) => ({ row, text: 'Is the same person as another row.' }))
  const problems = [...list.problems, ...same].toSorted((one, other) => one.row - other.row)
  await sql`insert into consent_events (organization_id, person_id, kind, purpose, channel, text, at)
    select e.organization_id, e.person_id, 'given', 'marketing', 'email',
      e.consent_source || ' (list “' || i.name || '”, row ' || e.row_number || ')', e.consent_on + time '12:00'
    from imported_list_people e join imported_lists i on i.customer_id = e.customer_id and i.id = e.list_id
    where e.list_id = ${id} and e.row_number = any(${[...kept]}) and e.consent_on is not null`.execute(db)
  const { rows } = await sql<{ people: number; waiting: number }>`
    select (select count(*)::int from imported_list_people where list_id = ${id}) as people,
      (select count(*)::int from imported_list_rows where list_id = ${id}) as waiting`.execute(db)
  const { people, waiting } = rows[0] ?? { people: 0, waiting: 0 }
  if (same.length === 0 && waiting > 0) return { total: people + waiting, waiting }
  await sql`update imported_lists set duplicate_count = duplicate_count + ${same.length},
    state = ${waiting === 0 ? 'ready' : 'importing'},
    problems = ${JSON.stringify(problems.slice(0, MOST_PROBLEMS))} where id = ${id}`.execute(db)
  return { total: people + waiting, waiting }
}

const given = (
  rows: readonly ListRow[],
) => sql`unnest(${rows.map(({ row }) => row)}::int[], ${rows.map(({ email }) => email)}::text[],
    ${rows.map(({ name }) => name)}::text[], ${rows.map(({ firstName }) => firstName)}::text[], ${rows.map(({ lastName }) => lastName)}::text[],
    ${rows.map(({ source }) => source)}::text[], ${rows.map(({ on }) => on)}::date[])
    g (row_number, email, name, first_name, last_name, source, consent_on)`

/** @returns the rows that have become people of the list */
async function addPeople(
  db: Database,
  { id, organizationId }: { id: string; organizationId: string },
  chunk: readonly ListRow[],
): Promise<number[]> {
  const { rows: known } = await sql<{ row: number; personId: string }>`
    select distinct on (g.row_number) g.row_number as row, coalesce(p.merged_into_id, p.id)::text as person_id
    from ${given(chunk)}
    join person_contacts c on c.organization_id = ${organizationId} and c.kind = 'email' and c.value_key = lower(g.email)
    join people p on p.customer_id = c.customer_id and p.id = c.person_id
    where g.name is null or p.name is null or lower(p.name) = lower(g.name)
    order by g.row_number, 2`.execute(db)
  const personOf = new Map(known.map(({ row, personId }) => [row, personId]))
  const [former, added] = [
    chunk.filter(({ row }) => personOf.has(row)),
    chunk.filter(({ row }) => !personOf.has(row)),
  ]
  const { rows: linked } = await sql<{ row: number }>`
    insert into imported_list_people (list_id, organization_id, person_id, row_number, is_new, consent_source, consent_on)
    select ${id}, ${organizationId}, k.person_id, g.row_number, false, g.source, g.consent_on
    from ${given(former)} join unnest(${known.map(({ row }) => row)}::int[], ${known.map(({ personId }) => personId)}::bigint[])
      k (row_number, person_id) using (row_number)
    on conflict do nothing returning row_number as row`.execute(db)
  const { rows: made } = await sql<{ row: number }>`
    with given as materialized (select * from ${given(added)}), people_added as (
      insert into people (organization_id, name, first_name, last_name, email)
      select ${organizationId}, name, first_name, last_name, email from given returning id, email_key
    ), contacts as (
      insert into person_contacts (organization_id, person_id, kind, value, value_key)
      select ${organizationId}, p.id, 'email', g.email, p.email_key from people_added p join given g on lower(g.email) = p.email_key
    )
    insert into imported_list_people (list_id, organization_id, person_id, row_number, is_new, consent_source, consent_on)
    select ${id}, ${organizationId}, p.id, g.row_number, true, g.source, g.consent_on
    from people_added p join given g on lower(g.email) = p.email_key returning row_number as row`.execute(db)
  return [...linked, ...made].map(({ row }) => row)
}
