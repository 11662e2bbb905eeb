import { sql } from 'kysely'
import type { ListProblem } from '#contract/marketing/campaigns/imported-lists.ts'
import { allowLongStatements, type Database } from '#server/database/tenant-transaction.ts'
import type { ListRow, ListRows } from './read-list-rows.ts'

const CHUNK = 5_000
const MOST_PROBLEMS = 1_000
/** Of one step of 100,000 rows. */
const STEP_MS = 120_000

type NewList = Readonly<{
  name: string
  lotId: string
  organizationId: string
  fileName: string
  read: ListRows
}>

/**
 * Stores a list. An address belongs to the person of the organization who has it and whose name isn't another; otherwise a person is
 * added. Proof of consent becomes a consent of its own date, so that a later withdrawal counts. @returns its ID
 */
export async function saveImportedList(db: Database, list: NewList): Promise<string> {
  await allowLongStatements(db, STEP_MS)
  const { name, lotId, organizationId, fileName, read } = list
  const { rows } = await sql<{ id: string }>`
    insert into imported_lists (organization_id, lot_id, name, file_name, row_count, invalid_count, duplicate_count)
    values (${organizationId}, ${lotId}, ${name}, ${fileName}, ${read.total}, ${read.invalid}, ${read.duplicates}) returning id::text`.execute(
    db,
  )
  const id = rows[0]?.id ?? ''
  const kept = new Set<number>()
  for (let at = 0; at < read.rows.length; at += CHUNK) {
    const chunk = read.rows.slice(at, at + CHUNK)
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    for (const row of await addPeople(db, { id, organizationId }, chunk)) kept.add(row)
  }
  const same: ListProblem[] = read.rows
    .filter(({ row }) => !kept.has(row))
    .map(({ row }) => ({ row, text: 'Is the same person as another row.' }))
  const problems = [...read.problems, ...same].toSorted((one, other) => one.row - other.row)
  await sql`update imported_lists set duplicate_count = duplicate_count + ${same.length},
    problems = ${JSON.stringify(problems.slice(0, MOST_PROBLEMS))} where id = ${id}`.execute(db)
  await sql`insert into consent_events (organization_id, person_id, kind, purpose, channel, text, at)
    select e.organization_id, e.person_id, 'given', 'marketing', 'email',
      e.consent_source || ' (list “' || ${name}::text || '”, row ' || e.row_number || ')', e.consent_on + time '12:00'
    from imported_list_people e where e.list_id = ${id} and e.consent_on is not null`.execute(db)
  return id
}

/** @returns the rows that have become people of the list */
async function addPeople(
  db: Database,
  { id, organizationId }: { id: string; organizationId: string },
  chunk: readonly ListRow[],
): Promise<number[]> {
  const given = (
    rows: readonly ListRow[],
  ) => sql`unnest(${rows.map(({ row }) => row)}::int[], ${rows.map(({ email }) => email)}::text[],
    ${rows.map(({ name }) => name)}::text[], ${rows.map(({ firstName }) => firstName)}::text[], ${rows.map(({ lastName }) => lastName)}::text[],
    ${rows.map(({ source }) => source)}::text[], ${rows.map(({ on }) => on)}::date[])
    g (row_number, email, name, first_name, last_name, source, consent_on)`
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
