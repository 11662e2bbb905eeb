import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { PERSON_DETAILS } from './person-details.ts'
import { recordsOfPerson } from './records-of-person.ts'

/** The columns that the kept person gets from the other one if they are empty. */
const COLUMNS = PERSON_DETAILS.map((name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
)

type PersonRow = Readonly<Record<string, string | null>>

/**
 * Shows one person as another one. The rows of leads and consents stay as they are, so that it can be undone exactly.
 * @returns the ID of the merge. @throws Failure 404, 400, 409
 */
export async function mergePeople(
  db: Database,
  { keptId, mergedId }: { keptId: string; mergedId: string },
): Promise<string> {
  if (keptId === mergedId) throw refused('Choose two different people.')
  const [kept, merged] = await lockBoth(db, keptId, mergedId)
  if (kept['organization_id'] !== merged['organization_id'])
    throw refused('Some fields are invalid.', { mergedId: 'Choose a person of the same store.' })
  if (kept['merged_into_id'] !== null || merged['merged_into_id'] !== null)
    throw conflict('One of them was merged with another person in the meantime. Reload the page.')
  const filled = COLUMNS.filter((column) => kept[column] === null && merged[column] !== null)
  if (filled.length > 0) {
    const columns = filled.map((column) => sql`${sql.ref(column)} = m.${sql.ref(column)}`)
    await sql`update people k set ${sql.join(columns)} from people m
      where k.id = ${keptId} and m.customer_id = k.customer_id and m.id = ${mergedId}`.execute(db)
  }
  await sql`update people set merged_into_id = ${keptId} where id = ${mergedId} or merged_into_id = ${mergedId}`.execute(
    db,
  )
  const organizationId = kept['organization_id'] ?? ''
  const { id } = await db
    .insertInto('personMerges')
    .values({ organizationId, keptId, mergedId, filled })
    .returning('id')
    .executeTakeFirstOrThrow()
  await noteOnLeads(db, keptId, {
    organizationId,
    kind: 'merged',
    mergeId: id,
    personName: merged['name'] ?? merged['email'] ?? null,
  })
  return id
}

/**
 * Undoes a merge: the person is shown separately again, with everyone who had been merged into them before.
 * @returns the ID of that person. @throws Failure 404, 409
 */
export async function undoMerge(db: Database, id: string): Promise<string> {
  const merge = await db
    .selectFrom('personMerges')
    .select(['keptId', 'mergedId', 'filled', 'undoneAt', 'organizationId', 'at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (merge === undefined) throw notFound('Merge')
  if (merge.undoneAt !== null) throw conflict('This merge was already undone.')
  const [kept, merged] = await lockBoth(db, merge.keptId, merge.mergedId)
  if (kept['merged_into_id'] !== null)
    throw conflict('This person was merged again later. Undo that merge first.')
  // Only values that no one has changed since.
  const filled = COLUMNS.filter((column) => merge.filled.includes(column) && kept[column] === merged[column])
  if (filled.length > 0) {
    const columns = filled.map((column) => sql`${sql.ref(column)} = null`)
    await sql`update people set ${sql.join(columns)} where id = ${merge.keptId}`.execute(db)
  }
  await sql`with recursive own as (
      select p.customer_id, p.id from people p where p.id = ${merge.mergedId}
      union
      select m.customer_id, m.merged_id from person_merges m join own on own.customer_id = m.customer_id and own.id = m.kept_id
      where m.undone_at is null
    )
    update people p set merged_into_id = case when p.id = ${merge.mergedId} then null else ${merge.mergedId}::bigint end
    from own where p.customer_id = own.customer_id and p.id = own.id`.execute(db)
  await db
    .updateTable('personMerges')
    .set({ undoneAt: sql`app_now()` })
    .where('id', '=', id)
    .execute()
  await keepOptOuts(db, merge)
  const { organizationId } = merge
  await noteOnLeads(db, merge.keptId, {
    organizationId,
    kind: 'unmerged',
    mergeId: id,
    personName: merged['name'] ?? merged['email'] ?? null,
  })
  return merge.mergedId
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
    select to_jsonb(p) || jsonb_build_object('id', p.id::text, 'organization_id', p.organization_id::text) as row
    from (select * from people where id in (${one}, ${other}) order by id for update) p`.execute(db)
  const find = (id: string) => rows.find(({ row }) => row['id'] === id)?.row
  const [first, second] = [find(one), find(other)]
  if (first === undefined || second === undefined) throw notFound('Person')
  return [first, second]
}

/** Notes a merge on all leads of the kept person. */
async function noteOnLeads(
  db: Database,
  personId: string,
  of: { organizationId: string; kind: 'merged' | 'unmerged'; mergeId: string; personName: string | null },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select l.id::text from leads l where l.person_id = any (${recordsOfPerson(personId)})`.execute(db)
  const { organizationId, kind, ...data } = of
  for (const { id } of rows) await noteLeadEvents(db, { id, organizationId }, [{ kind, data }])
}
