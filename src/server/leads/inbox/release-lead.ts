import { sql } from 'kysely'
import type { LeadType } from '#contract/leads/inbox/lead-list.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict } from '#server/http/failure.ts'
import { findPerson, lockPerson } from '../people/match-person.ts'
import { joinKnown, type SplitPeople } from '../people/merge-people.ts'
import { recordsOfPerson } from '../people/records-of-person.ts'
import { routeReceived } from '../routing/route-lead.ts'
import { findFirstLead, noteDuplicate } from './duplicate-leads.ts'
import { eraseLeads, erasePeople } from './erase-leads.ts'
import { readLeadClock, respondBy } from './lead-clock.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import type { LockedLead } from './lock-lead.ts'
import { sendUpdate } from './send-update.ts'

type QuarantinedLead = {
  /** The person it came in with, before a user merged them with another one. */
  ownPersonId: string
  type: LeadType
  vehicleId: string | null
  vehicleTitle: string | null
  vin: string | null
  stock: string | null
  sourceName: string
  comments: string | null
  submissionId: string | null
  name: string | null
}

/**
 * Takes a locked lead out of quarantine: from now on it is a lead like every other one. Its person joins the one they were
 * before, it may be a duplicate, its response deadline starts, and it is routed. @throws Failure 409
 */
export async function releaseLead(db: Database, lead: LockedLead): Promise<void> {
  if (lead.status !== 'quarantined') throw conflict('This lead is not in quarantine.')
  const { rows } = await sql<QuarantinedLead>`
    select l.person_id::text as own_person_id, l.type, l.vehicle_id::text, l.vehicle_title, l.asked_vehicle ->> 'vin' as vin, l.asked_vehicle ->> 'stock' as stock, l.source_name, l.comments, l.submission_id::text, p.name
    from leads l join people p on p.customer_id = l.customer_id and p.id = ${lead.personId} where l.id = ${lead.id}`.execute(
    db,
  )
  const [held] = rows
  if (held === undefined) throw new Error('The person of a lead does not exist.')
  const personId = await joinPerson(db, lead, held)
  const now = clock.date()
  const at = now.toISOString()
  const firstId = lead.isTest
    ? null
    : await findFirstLead(db, { ...held, lotId: lead.lotId, personId, receivedAt: at })
  const leadClock = await readLeadClock(db, lead)
  await db
    .updateTable('leads')
    .set({
      status: firstId === null ? 'received' : 'duplicate',
      duplicateOfId: firstId,
      releasedAt: at,
      respondBy: respondBy(leadClock, now).toISOString(),
    })
    .where('id', '=', lead.id)
    .execute()
  await db
    .updateTable('formSubmissions')
    .set({ state: 'received' })
    .where('id', '=', held.submissionId)
    .where('state', '=', 'quarantined')
    .execute()
  await noteLeadEvents(db, lead, [{ kind: 'released' }])
  if (firstId !== null) await noteDuplicate(db, { ...lead, ...held }, { firstId, at })
  await routeReceived(db, lead.id, now)
  if (firstId !== null) await sendUpdate(db, { firstId, leadId: lead.id })
}

/** A lead in quarantine has a person of its own, so that spam changes no one. @returns the person it has from now on. */
async function joinPerson(db: Database, lead: LockedLead, held: QuarantinedLead): Promise<string> {
  // A user has said already who it is.
  if (held.ownPersonId !== lead.personId) return lead.personId
  const contacts = await db
    .selectFrom('personContacts')
    .select(['kind', 'value', 'valueKey', 'label', 'isMatching'])
    .where('personId', '=', lead.personId)
    .execute()
  await lockPerson(db, lead.organizationId, contacts)
  const { name } = held
  const match = await findPerson(db, lead.organizationId, { name, contacts, exceptId: lead.personId })
  if (match === null) return lead.personId
  const { mergeId, personId } = await joinKnown(db, lead.personId, match)
  await noteLeadEvents(db, lead, [
    { kind: 'merged', byName: null, data: { mergeId, reasons: match.reasons, isAutomatic: true } },
  ])
  return personId
}

/**
 * Deletes those of the leads that are in quarantine, with everything they came in, and their people if they have no other
 * lead. @returns how many.
 */
export async function discardLeads(db: Database, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string; personId: string }>`
    select l.id::text, l.person_id::text from leads l where l.id = any (${[...ids]}::bigint[]) and l.status = 'quarantined'
    order by l.id for update`.execute(db)
  const deleted = await eraseLeads(
    db,
    rows.map(({ id }) => id),
  )
  await erasePeople(db, [...new Set(rows.map(({ personId }) => personId))])
  return deleted
}

type Freed = { id: string; organizationId: string; lotId: string | null }

/**
 * After two people were split, a duplicate whose first lead is the other one's is a lead of its own: its time starts, and it is
 * routed.
 */
export async function routeSplitLeads(db: Database, { keptId, separateId }: SplitPeople): Promise<void> {
  const [kept, separate] = [recordsOfPerson(keptId), recordsOfPerson(separateId)]
  const { rows } = await sql<Freed>`
    select l.id::text, l.organization_id::text, l.lot_id::text from leads l
    join leads f on f.customer_id = l.customer_id and f.id = l.duplicate_of_id
    where l.status = 'duplicate' and (l.person_id = any (${kept}) and f.person_id = any (${separate})
      or l.person_id = any (${separate}) and f.person_id = any (${kept}))
    order by l.id for update of l`.execute(db)
  const now = clock.date()
  for (const lead of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    const leadClock = await readLeadClock(db, lead)
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await db
      .updateTable('leads')
      .set({ status: 'received', duplicateOfId: null, respondBy: respondBy(leadClock, now).toISOString() })
      .where('id', '=', lead.id)
      .execute()
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await routeReceived(db, lead.id, now)
  }
}
