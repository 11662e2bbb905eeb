import { sql } from 'kysely'
import { DEFAULT_QUARANTINE_DAYS } from '#contract/leads/inbox/lead-settings.ts'
import { SUSPICION_CODES, looksLikeSpam } from '#contract/leads/inbox/suspicions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { noteFullQuarantine } from '#server/identity/index.ts'
import { eraseLeads, erasePeople, eraseSubmissions } from './erase-leads.ts'

/** Leads of a customer that look like spam, and unfinished forms that do. The oldest ones make room for more. */
export const MOST_IN_QUARANTINE = 2_000
/** How many make room at once: each that comes in makes room for itself and for some that came in at the same time. */
const ROOM = 10
/** What is deleted in one transaction, so that users hardly wait. */
const BATCH = 200

/** Lead `l` is in quarantine as spam. Those that are only to be checked, because the database was away, wait until a user has. */
export const isSpam = sql`l.status = 'quarantined' and l.suspicions && ${SUSPICION_CODES.filter((code) => looksLikeSpam([code]))}::text[]`
const isUnfinishedSpam = sql`s.state = 'quarantined' and s.finished_at is null`

/** Deletes the oldest ones beyond the limit, and notes it. Called for each that comes in. `network`: an address of its sender. */
export async function makeRoomInQuarantine(db: Database, network: string | null): Promise<void> {
  const deleted = await deleteLeads(
    db,
    sql`select l.id, l.person_id from leads l where ${isSpam} order by l.received_at desc, l.id desc offset ${MOST_IN_QUARANTINE} limit ${ROOM}`,
  )
  await noteDeleted(db, network, deleted)
}

/** The same for unfinished forms, which have no lead. */
export async function makeRoomForUnfinished(db: Database, network: string | null): Promise<void> {
  const deleted = await deleteUnfinished(
    db,
    sql`select s.id from form_submissions s where ${isUnfinishedSpam} order by s.sent_at desc, s.id desc offset ${MOST_IN_QUARANTINE} limit ${ROOM}`,
  )
  await noteDeleted(db, network, deleted)
}

async function noteDeleted(db: Database, network: string | null, deleted: number): Promise<void> {
  const message = 'The oldest leads that look like spam were deleted to make room for new ones.'
  if (deleted > 0) await noteFullQuarantine(db, { network, message })
}

/** Deletes what has been in quarantine for longer than the customer keeps it. @returns how many, at most a batch */
export async function purgeQuarantine(db: Database): Promise<number> {
  const isOld = (at: ReturnType<typeof sql>) =>
    sql`${at} < app_now() - coalesce((select quarantine_days from lead_settings), ${DEFAULT_QUARANTINE_DAYS}) * interval '1 day'`
  const leads = await deleteLeads(
    db,
    sql`select l.id, l.person_id from leads l where ${isSpam} and ${isOld(sql`l.received_at`)} order by l.received_at, l.id limit ${BATCH}`,
  )
  const unfinished = await deleteUnfinished(
    db,
    sql`select s.id from form_submissions s where ${isUnfinishedSpam} and ${isOld(sql`s.sent_at`)} order by s.sent_at, s.id limit ${BATCH}`,
  )
  return Math.max(leads, unfinished)
}

async function deleteLeads(db: Database, found: ReturnType<typeof sql>): Promise<number> {
  // A user who releases one at this moment keeps it.
  const { rows } = await sql<{ id: string; personId: string }>`
    select l.id::text, l.person_id::text from leads l join (${found}) f on f.id = l.id
    where l.status = 'quarantined' order by l.id for update of l skip locked`.execute(db)
  const count = await eraseLeads(
    db,
    rows.map(({ id }) => id),
  )
  await erasePeople(db, [...new Set(rows.map(({ personId }) => personId))])
  return count
}

async function deleteUnfinished(db: Database, found: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select s.id::text from form_submissions s join (${found}) f on f.id = s.id
    where s.state = 'quarantined' order by s.id for update of s skip locked`.execute(db)
  await eraseSubmissions(
    db,
    rows.map(({ id }) => id),
  )
  return rows.length
}
