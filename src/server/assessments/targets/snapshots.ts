import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { targetSnapshots, TargetSnapshot } from '#contract/assessments/targets/target-snapshots.ts'
import type { SnapshotCheck } from '#contract/snapshots.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import type { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { sha256Of, snapshotDownload } from '#server/snapshots/snapshot-files.ts'
import { readTargetContext } from './target-context.ts'

/** The frozen answers of submissions and approvals, for staff. */
export const targetSnapshotHandlers: Handlers<typeof targetSnapshots> = {
  async list({ db, input: { targetId } }) {
    await readTargetContext(db, targetId)
    const { rows } = await sql<TargetSnapshot>`
      select s.id::text, s.kind, s.sha256, octet_length(s.content) as size, s.made_by, ${instant(sql`s.made_at`)} as made_at
      from assessment_snapshots s where s.target_id = ${targetId} order by s.id desc`.execute(db)
    return rows
  },
  download: ({ inTenant, input: { id } }) =>
    inTenant((db) => downloadSnapshot(db, sql<SqlBool>`s.id = ${id}`)),
  verify: ({ db, input: { id, sha256 } }) => verifySnapshot(db, { of: sql<SqlBool>`s.id = ${id}`, sha256 }),
}

type Stored = {
  id: string
  targetId: string
  name: string
  kind: TargetSnapshot['kind']
  content: string
  sha256: string
  madeOn: string
}

/** The newest frozen answers that match a condition on `s`. @throws Failure 404 */
async function findSnapshot(db: Database, condition: RawBuilder<SqlBool>): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select s.id::text, s.target_id::text, a.name || ' - ' || coalesce(f.name, o.name) as name, s.kind, s.content, s.sha256,
      (s.made_at at time zone o.time_zone)::date::text as made_on
    from assessment_snapshots s
    join assessment_targets t on t.customer_id = s.customer_id and t.id = s.target_id
    join assessments a on a.customer_id = t.customer_id and a.id = t.assessment_id
    join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    left join facilities f on f.customer_id = t.customer_id and f.id = t.facility_id
    where ${condition} order by s.id desc limit 1`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Submission')
  return found
}

async function* inOnePart({ content }: Pick<Stored, 'content'>): AsyncGenerator<string> {
  yield content
}

/** The newest frozen answers that match a condition on `s`, exactly as they were stored. @throws Failure 404 */
export async function downloadSnapshot(db: Database, condition: RawBuilder<SqlBool>): Promise<Download> {
  const found = await findSnapshot(db, condition)
  return snapshotDownload(`${found.name}, ${found.kind} ${found.madeOn}.json`, inOnePart(found))
}

type VerifyRequest = { of: RawBuilder<SqlBool>; sha256: string | undefined; kind?: TargetSnapshot['kind'] }

/** Checks the newest frozen answers that match `of`, and finds those of the same target and kind that have the hash. */
export async function verifySnapshot(
  db: Database,
  { of, sha256, kind }: VerifyRequest,
): Promise<SnapshotCheck> {
  const found = await findSnapshot(db, of)
  const isIntact = sha256Of(found.content) === found.sha256
  if (sha256 === undefined) return { isIntact, matchesId: null }
  const { rows } = await sql<{ id: string }>`
    select id::text from assessment_snapshots where target_id = ${found.targetId} and sha256 = ${sha256}
      and (${kind ?? null}::text is null or kind = ${kind ?? null}) order by id desc limit 1`.execute(db)
  return { isIntact, matchesId: rows[0]?.id ?? null }
}
