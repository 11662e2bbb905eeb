import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import type { MatchedPerson } from './match-person.ts'
import { useLatestContacts } from './person-contacts.ts'
import { PERSON_DETAILS } from './person-details.ts'
import { recordsOfPerson } from './records-of-person.ts'

/** The columns that the kept person gets from the other one if they are empty. */
const COLUMNS = PERSON_DETAILS.map((name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
)

type PersonRow = Readonly<Record<string, string | null>>

/**
 * Shows one person as another one. The rows of leads, contact details and consents stay as they are, so that it can be split
 * exactly. What a user said about both, that they aren't the same, is over.
 * @returns the ID of the merge. @throws Failure 404, 400, 409
 */
export async function mergePeople(
  db: Database,
  {
    keptId,
    mergedId,
    reasons = null,
  }: {
    keptId: string
    mergedId: string
    /** Of a merge that the product does by itself. */
    reasons?: MatchedPerson['reasons'] | null
  },
): Promise<string> {
  if (keptId === mergedId) throw refused('Choose two different people.')
  const [kept, merged] = await lockBoth(db, keptId, mergedId)
  if (kept['organization_id'] !== merged['organization_id'])
    throw refused('Some fields are invalid.', { mergedId: 'Choose a person of the same store.' })
  if (kept['merged_into_id'] !== null || merged['merged_into_id'] !== null)
    throw conflict('One of them was merged with another person in the meantime. Reload the page.')
  const filled = await fillFrom(db, kept, merged)
  await sql`delete from person_distinctions d
    where d.one_id = any (${recordsOfPerson(keptId)}) and d.other_id = any (${recordsOfPerson(mergedId)})
      or d.one_id = any (${recordsOfPerson(mergedId)}) and d.other_id = any (${recordsOfPerson(keptId)})`.execute(
    db,
  )
  await sql`update people set merged_into_id = ${keptId} where id = ${mergedId} or merged_into_id = ${mergedId}`.execute(
    db,
  )
  const organizationId = kept['organization_id'] ?? ''
  const isAutomatic = reasons !== null
  const { id } = await db
    .insertInto('personMerges')
    .values({ organizationId, keptId, mergedId, filled, isAutomatic, reasons: [...(reasons ?? [])] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await useLatestContacts(db, keptId)
  // The lead of a known buyer says itself whose it is.
  if (!isAutomatic)
    await noteOnLeads(db, [keptId], {
      organizationId,
      kind: 'merged',
      mergeId: id,
      personName: nameOf(merged),
    })
  return id
}

/**
 * Makes the new row of a lead one person with a known one. That one may have been merged meanwhile.
 * @returns the ID of the merge, and the row that the person is shown with.
 */
export async function joinKnown(
  db: Database,
  newId: string,
  { id, reasons }: MatchedPerson,
): Promise<{ mergeId: string; personId: string }> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(merged_into_id, id)::text as id from people where id = ${id} for update`.execute(db)
  const personId = rows[0]?.id ?? id
  return { mergeId: await mergePeople(db, { keptId: personId, mergedId: newId, reasons }), personId }
}

/** What a split changed: the two people from then on, by the rows they are shown with. */
export type SplitPeople = Readonly<{ keptId: string; separateId: string }>

/**
 * Undoes a merge, by hand or automatic: the person is shown separately again, with everyone who had been merged into them before.
 * From then on the two aren't the same for a user. @throws Failure 404, 409
 */
export async function undoMerge(db: Database, id: string): Promise<SplitPeople> {
  const merge = await db
    .selectFrom('personMerges')
    .select(['keptId', 'mergedId', 'undoneAt', 'organizationId', 'at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (merge === undefined) throw notFound('Merge')
  if (merge.undoneAt !== null) throw conflict('This merge was already undone.')
  const { organizationId, mergedId } = merge
  const [kept, merged] = await lockBoth(db, merge.keptId, mergedId)
  const shownId = kept['merged_into_id'] ?? merge.keptId
  await takeBackFilled(db, merge, merged)
  await sql`with recursive own as (
      select p.customer_id, p.id from people p where p.id = ${mergedId}
      union
      select m.customer_id, m.merged_id from person_merges m join own on own.customer_id = m.customer_id and own.id = m.kept_id
      where m.undone_at is null
    )
    update people p set merged_into_id = case when p.id = ${mergedId} then null else ${mergedId}::bigint end
    from own where p.customer_id = own.customer_id and p.id = own.id`.execute(db)
  await db
    .updateTable('personMerges')
    .set({ undoneAt: sql`app_now()` })
    .where('id', '=', id)
    .execute()
  await fillAgain(db, shownId)
  await useLatestContacts(db, shownId)
  await useLatestContacts(db, mergedId)
  await keepOptOuts(db, { keptId: shownId, mergedId, at: merge.at })
  await tellApart(db, { organizationId, oneId: merge.keptId, otherId: mergedId })
  await noteOnLeads(db, [shownId, mergedId], {
    organizationId,
    kind: 'unmerged',
    mergeId: id,
    personName: nameOf(merged),
  })
  return { keptId: shownId, separateId: mergedId }
}

/** Stores that two people aren't the same. */
export async function tellApart(
  db: Database,
  of: { organizationId: string; oneId: string; otherId: string },
): Promise<void> {
  const [oneId = '', otherId = ''] = [of.oneId, of.otherId].toSorted((a, b) =>
    BigInt(a) < BigInt(b) ? -1 : 1,
  )
  await db
    .insertInto('personDistinctions')
    .values({ organizationId: of.organizationId, oneId, otherId })
    .onConflict((on) => on.columns(['customerId', 'oneId', 'otherId']).doNothing())
    .execute()
}

const nameOf = (row: PersonRow): string | null => row['name'] ?? row['email'] ?? null

/** @returns the columns of the kept person that were empty and got a value. */
async function fillFrom(db: Database, kept: PersonRow, from: PersonRow): Promise<string[]> {
  const filled = COLUMNS.filter((column) => kept[column] === null && from[column] !== null)
  if (filled.length === 0) return []
  const columns = filled.map((column) => sql`${sql.ref(column)} = m.${sql.ref(column)}`)
  await sql`update people k set ${sql.join(columns)} from people m
    where k.id = ${kept['id']} and m.customer_id = k.customer_id and m.id = ${from['id']}`.execute(db)
  return filled
}

/** Empties what the kept person, and those it was merged into later, got from a merge. Only values that no one has changed since. */
async function takeBackFilled(
  db: Database,
  merge: { keptId: string; mergedId: string },
  merged: PersonRow,
): Promise<void> {
  const { rows } = await sql<{ keptId: string; filled: string[] }>`
    with recursive up as (
      select m.customer_id, m.kept_id, m.filled, 1 as step from person_merges m
      where m.kept_id = ${merge.keptId} and m.merged_id = ${merge.mergedId} and m.undone_at is null
      union all
      select m.customer_id, m.kept_id, m.filled, up.step + 1 from person_merges m
      join up on up.customer_id = m.customer_id and m.merged_id = up.kept_id
      where m.undone_at is null
    )
    select kept_id::text, filled from up order by step`.execute(db)
  for (const { keptId, filled } of rows) {
    const columns = COLUMNS.filter((column) => filled.includes(column) && merged[column] !== null)
    if (columns.length === 0) continue
    const emptied = columns.map(
      (column) =>
        sql`${sql.ref(column)} = case when ${sql.ref(column)} is distinct from ${merged[column]} then ${sql.ref(column)} end`,
    )
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await sql`update people set ${sql.join(emptied)} where id = ${keptId}`.execute(db)
  }
}

/** Fills what is empty again from those who are still merged, and notes it with their merges. */
async function fillAgain(db: Database, personId: string): Promise<void> {
  const { rows } = await sql<{ id: string; mergedId: string }>`
    select m.id::text, m.merged_id::text from person_merges m where m.kept_id = ${personId} and m.undone_at is null order by m.id`.execute(
    db,
  )
  for (const { id, mergedId } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection, and one fills what the one before left.
    await fillMerged(db, { mergeId: id, keptId: personId, mergedId })
  }
}

async function fillMerged(
  db: Database,
  { mergeId, keptId, mergedId }: { mergeId: string; keptId: string; mergedId: string },
): Promise<void> {
  const [kept, merged] = await lockBoth(db, keptId, mergedId)
  const filled = await fillFrom(db, kept, merged)
  if (filled.length === 0) return
  await sql`update person_merges set filled = filled || ${filled}::text[] where id = ${mergeId}`.execute(db)
}

/** A row that was merged got more details: the person it is shown with gets those that it doesn't have. */
export async function passOnDetails(db: Database, rowId: string): Promise<void> {
  const { rows } = await sql<{ mergeId: string; keptId: string }>`
    select m.id::text as merge_id, m.kept_id::text from person_merges m join people p on p.customer_id = m.customer_id and p.id = m.merged_id
    where m.merged_id = ${rowId} and m.undone_at is null and p.merged_into_id = m.kept_id`.execute(db)
  for (const { mergeId, keptId } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection, and at most one.
    await fillMerged(db, { mergeId, keptId, mergedId: rowId })
  }
}

/** Who opted out while they were one person has opted out as both: no one knows as whom. Consents aren't passed on. */
async function keepOptOuts(
  db: Database,
  { keptId, mergedId, at }: { keptId: string; mergedId: string; at: string },
): Promise<void> {
  for (const [from, to] of [
    [keptId, mergedId],
    [mergedId, keptId],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await sql`
      insert into consent_events (organization_id, person_id, kind, purpose, channel, text, text_version, language, seller, page_url, at)
      select e.organization_id, ${to}, e.kind, e.purpose, e.channel, e.text, e.text_version, e.language, e.seller, e.page_url, e.at
      from consent_events e where e.person_id = any (${recordsOfPerson(from)}) and e.kind in ('revoked', 'declined') and e.at >= ${at}
        and not exists (select from consent_events o where o.customer_id = e.customer_id and o.person_id = any (${recordsOfPerson(to)})
          and o.channel = e.channel and o.purpose = e.purpose and o.at = e.at and o.kind = e.kind)
      order by e.at, e.id`.execute(db)
}

/** @throws Failure 404 */
async function lockBoth(db: Database, one: string, other: string): Promise<[PersonRow, PersonRow]> {
  // The names as in the database: they are compared by their column.
  const { rows } = await sql<{ row: PersonRow }>`
    select to_jsonb(p) || jsonb_build_object('id', p.id::text, 'organization_id', p.organization_id::text,
      'merged_into_id', p.merged_into_id::text) as row
    from (select * from people where id in (${one}, ${other}) order by id for update) p`.execute(db)
  const find = (id: string) => rows.find(({ row }) => row['id'] === id)?.row
  const [first, second] = [find(one), find(other)]
  if (first === undefined || second === undefined) throw notFound('Person')
  return [first, second]
}

/** Notes a merge or a split on all leads of these people. */
async function noteOnLeads(
  db: Database,
  personIds: readonly string[],
  of: { organizationId: string; kind: 'merged' | 'unmerged'; mergeId: string; personName: string | null },
): Promise<void> {
  const { organizationId, kind, ...data } = of
  for (const personId of personIds) {
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    const { rows } = await sql<{ id: string }>`
      select l.id::text from leads l where l.person_id = any (${recordsOfPerson(personId)})`.execute(db)
    // oxlint-disable-next-line no-await-in-loop -- As above.
    for (const { id } of rows) await noteLeadEvents(db, { id, organizationId }, [{ kind, data }])
  }
}
