import { sql } from 'kysely'
import { z } from 'zod'
import { LeadMove, type leadMoves, MAX_MOVED, MovedLead } from '#contract/leads/inbox/lead-moves.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { routeReceived } from '../routing/route-lead.ts'
import { actingUserId } from './assign-lead.ts'
import { copyLead } from './copy-lead.ts'
import { erasePeople } from './erase-leads.ts'
import { type LockedLead, lockLead } from './lock-lead.ts'
import { LeadBeforeMove, noteMove, placeAt, readStoreName, type SentToStore } from './place-lead.ts'
import { type ReachedStore, reachStores, widenReach } from './reach-stores.ts'
import { bringConsents, giveToOrganization, personAt } from './send-to-store.ts'

/** Leads that go to another store of the customer. */
export const leadMoveHandlers: Handlers<typeof leadMoves> = {
  async stores({ db, actor, input: { id } }) {
    const lead = await readPlace(db, id)
    const stores = await reachStores(db, actor, lead)
    return stores.map(({ organizationId: _organizationId, ...store }) => store)
  },

  async move({ db, actor, input: { id, version, lotId, reason } }) {
    const lead = await lockLead(db, id, version)
    const to = await chooseStore(db, actor, lead, { lotId, reason: lead.needsStore ? '' : reason })
    const from = await readStoreName(db, lead)
    const moveId = await moveLead(db, lead, {
      to,
      from,
      reason: reason ?? null,
      by: { userId: actingUserId(actor), name: actor.fullName },
    })
    return readMove(db, moveId)
  },

  async copy({ db, actor, input: { id, version, lotId, reason } }) {
    const lead = await lockLead(db, id, version)
    const to = await chooseStore(db, actor, lead, { lotId, reason })
    if (lead.needsStore) throw conflict('Choose the store of this lead first.')
    const { rows } =
      await sql`select from lead_moves m where m.original_id = ${id} and m.is_copy and m.to_lot_id = ${lotId}
      and m.undone_at is null`.execute(db)
    if (rows.length > 0) throw conflict(`This lead was copied to ${to.name} before.`)
    const copyId = await copyLead(db, lead, to)
    const { moveId } = await noteMove(db, lead, {
      to,
      from: await readStoreName(db, lead),
      reason: reason ?? null,
      by: { userId: actingUserId(actor), name: actor.fullName },
      copyId,
    })
    await routeReceived(db, copyId, clock.date())
    return readMove(db, moveId)
  },

  async undo({ db, actor, input: { id } }) {
    await readStoredMove(db, id)
    await widenReach(db)
    // Later moves can be between stores that the user doesn't see.
    const move = await readStoredMove(db, id)
    const lead = await lockLead(db, move.leadId)
    await requireMayUndo(db, actor, { lead, move })
    if (move.isCopy) await removeCopy(db, lead)
    else await moveBack(db, lead, move)
    await sql`update lead_moves set undone_at = app_now(), undone_by = ${actor.fullName} where id = ${id}`.execute(
      db,
    )
    // The row of a copy is gone with it.
    return { ...toMove(move), undoneAt: clock.date().toISOString() }
  },

  async moved({ db }) {
    const { rows } = await sql<MovedLead>`
      select ${columns}, coalesce(p.name, p.email, p.phone, 'A buyer') as person_name,
        m.before ->> 'vehicleTitle' as vehicle_title, m.before ->> 'receivedAt' as received_at
      from lead_moves m left join people p on p.customer_id = m.customer_id and p.id = m.from_person_id
      where not m.is_copy and m.undone_at is null and m.from_lot_id is not null and m.from_lot_id in (select id from lots)
        and not exists (select from lead_moves later where later.customer_id = m.customer_id and later.lead_id = m.lead_id
          and later.id > m.id and later.undone_at is null and later.to_lot_id = m.from_lot_id)
      order by m.at desc, m.id desc limit ${MAX_MOVED}`.execute(db)
    return MovedLead.array().parse(rows)
  },
}

/** The store of a lead without a lock. @throws Failure 404 */
async function readPlace(
  db: Database,
  id: string,
): Promise<Pick<LockedLead, 'organizationId' | 'lotId' | 'needsStore'>> {
  const lead = await db
    .selectFrom('leads')
    .select(['organizationId', 'lotId', 'needsStore'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (lead === undefined) throw notFound('Lead')
  return lead
}

/** The store that a user chose for a lead. Widens the reach of the transaction. @throws Failure 400, 403, 409 */
async function chooseStore(
  db: Database,
  actor: Member,
  lead: LockedLead,
  { lotId, reason }: { lotId: string; reason: string | null | undefined },
): Promise<ReachedStore> {
  if (lead.status === 'quarantined') throw conflict('Take this lead out of quarantine first.')
  if (lead.status === 'duplicate')
    throw conflict('This lead is a duplicate. Move or copy the first lead of the buyer.')
  const stores = await reachStores(db, actor, lead)
  const store = stores.find((one) => one.lotId === lotId)
  if (store === undefined)
    throw refused('Some fields are invalid.', { lotId: 'Choose a store that you can send leads to.' })
  if (store.isCurrent) throw conflict(`This lead is at ${store.name}.`)
  if (reason == null)
    throw refused('Some fields are invalid.', { reason: 'Enter a reason. Both stores see it.' })
  return store
}

/**
 * Moves a locked lead to another store: it has no owner there yet, is routed by the rules again, and its response deadline starts now.
 * The transaction must reach both organizations.
 * @returns the ID of the move.
 */
export async function moveLead(db: Database, lead: LockedLead, sent: SentToStore): Promise<string> {
  const { moveId } = await noteMove(db, lead, { ...sent, copyId: null })
  await placeAt(db, lead, sent.to)
  await routeReceived(db, lead.id, clock.date())
  return moveId
}

const columns = sql`m.id::text, m.lead_id::text, m.is_copy, m.original_id::text, m.from_name, m.to_name, m.reason, ${instant(sql`m.at`)} as at,
  m.by_name, ${instant(sql`m.undone_at`)} as undone_at`

async function readMove(db: Database, id: string): Promise<LeadMove> {
  return toMove(await readStoredMove(db, id))
}

const StoredMove = LeadMove.extend({
  fromOrganizationId: z.string(),
  fromLotId: z.string().nullable(),
  fromPersonId: z.string().nullable(),
  toOrganizationId: z.string(),
  toLotId: z.string().nullable(),
  byUserId: z.string().nullable(),
  before: LeadBeforeMove,
  isLatest: z.boolean(),
})
type StoredMove = z.infer<typeof StoredMove>
const toMove = (move: StoredMove): LeadMove => LeadMove.parse(move)

/** A move with what an undo needs. @throws Failure 404 */
async function readStoredMove(db: Database, id: string): Promise<StoredMove> {
  const { rows } = await sql<StoredMove>`
    select ${columns}, m.from_organization_id::text, m.from_lot_id::text, m.from_person_id::text, m.to_organization_id::text,
      m.to_lot_id::text, m.by_user_id::text, m.before, not exists (select from lead_moves later
        where later.customer_id = m.customer_id and later.lead_id = m.lead_id and later.id > m.id and later.undone_at is null) as is_latest
    from lead_moves m where m.id = ${id}`.execute(db)
  const [move] = rows
  if (move === undefined) throw notFound('Move')
  return StoredMove.parse(move)
}

/** The user who moved it, and those who could move it back. @throws Failure 403, 409 */
async function requireMayUndo(
  db: Database,
  actor: Member,
  { lead, move }: { lead: LockedLead; move: StoredMove },
): Promise<void> {
  const isOwn = move.byUserId !== null && move.byUserId === actingUserId(actor)
  const stores = await reachStores(db, actor, lead)
  const mayReach = stores.some(({ lotId }) => lotId === move.fromLotId)
  if (!isOwn && !mayReach)
    throw forbidden('Only who moved this lead, or who can see both stores, can undo it.')
  if (move.undoneAt !== null) throw conflict('This was undone before.')
  if (!move.isLatest) throw conflict('This lead was moved on. Undo that first.')
  if (
    lead.acceptedAt !== null ||
    (lead.firstResponseAt !== null && Date.parse(lead.firstResponseAt) > Date.parse(move.at))
  )
    throw conflict(`${move.toName} works on this lead already. Move it back instead.`)
  if (!move.isCopy && move.fromLotId === null && !move.before.needsStore)
    throw conflict('The former store of this lead was deleted. Move it to another store.')
}

/** Puts a lead back where it was, with its former owner and deadlines. */
async function moveBack(db: Database, lead: LockedLead, move: StoredMove): Promise<void> {
  const { fromOrganizationId: organizationId, fromLotId: lotId, fromPersonId, before } = move
  if (lead.organizationId !== organizationId) {
    const personId =
      fromPersonId ?? (await personAt(db, lead.personId, { from: lead.organizationId, to: organizationId }))
    await bringConsents(db, { personId: lead.personId, toPersonId: personId, organizationId })
    await giveToOrganization(db, { leadId: lead.id, personId }, { organizationId, lotId })
    // Unless they were known there before, or an earlier move can still be undone.
    const { rows } =
      await sql`select from lead_moves m where m.from_person_id = ${lead.personId} and m.undone_at is null
      and m.id <> ${move.id}`.execute(db)
    if (rows.length === 0) await erasePeople(db, [lead.personId])
  }
  const { vehicleTitle: _title, receivedAt: _received, nextOwnerIds, ...values } = before
  await db
    .updateTable('leads')
    .set({ ...values, lotId, nextOwnerIds: sql`${nextOwnerIds}::bigint[]` })
    .where('id', '=', lead.id)
    .execute()
  await noteLeadEvents(db, { id: lead.id, organizationId }, [
    { kind: 'moved', data: { fromName: move.toName, toName: move.fromName, text: 'The move was undone.' } },
  ])
}

/** Deletes a copy that no one has worked on, with its person if they have no other lead. */
async function removeCopy(db: Database, copy: LockedLead): Promise<void> {
  const removed = await db
    .deleteFrom('leads')
    .where('id', '=', copy.id)
    .returning('sourceId')
    .executeTakeFirst()
  await sql`delete from lead_sources s where s.id = ${removed?.sourceId ?? null}
    and not exists (select from leads l where l.source_id = s.id)`.execute(db)
  await erasePeople(db, [copy.personId])
}
