import { sql } from 'kysely'
import { afterTurn, atDay, nextOfTeam } from '#contract/leads/routing/choose-lead-destinations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import { assignLead, requireFree } from '../inbox/assign-lead.ts'
import type { LockedLead } from '../inbox/lock-lead.ts'
import { requireReleased } from '../inbox/work-on-lead.ts'
import { readOpenOfMembers } from './open-leads.ts'
import { lockCursor, type StoredDestination } from './rule-rows.ts'

type Team = Pick<StoredDestination, 'id' | 'name' | 'members'>
type SharedLead = Pick<LockedLead, 'id' | 'organizationId' | 'lotId' | 'ownerId' | 'ownerName'>

/**
 * Gives a lead to the member of a team whose turn it is, but not to its owner.
 * @throws Failure 409 if no member can take it, or someone else has time to accept it.
 */
export async function shareLead(
  db: Database,
  lead: LockedLead,
  { actor, team }: { actor: Member; team: Team },
): Promise<void> {
  requireReleased(lead)
  await requireFree(db, lead, actor)
  const why = await giveToTeam(db, lead, { customerId: actor.customerId, team })
  if (why !== null) throw conflict(`${team.name}: ${why}.`)
}

/**
 * Gives a lead to the next member of a team who works at its store. `byName`: null for the product. @returns why no one gets it; null
 * if someone does.
 */
export async function giveToTeam(
  db: Database,
  lead: SharedLead,
  { customerId, team, byName }: { customerId: string; team: Team; byName?: null },
): Promise<string | null> {
  const members = team.members.filter(
    ({ userId, organizationIds }) => userId !== lead.ownerId && organizationIds.includes(lead.organizationId),
  )
  if (members.length === 0) return 'no other member works at the store of this lead'
  const { cursor: before, day } = await lockCursor(db, customerId)
  const cursor = { ...atDay(before, day), turn: before.turn + 1 }
  const open = await readOpenOfMembers(db, customerId, [{ members }])
  const next = nextOfTeam(cursor, { id: team.id, members }, open)
  const { member, others } = next
  if (member === null) return next.isFull ? next.why : 'everyone in it is off'
  await sql`update lead_routing_states set cursor = ${JSON.stringify(afterTurn(cursor, team.id, next))}::jsonb
    where customer_id = ${customerId}`.execute(db)
  await assignLead(db, lead, {
    userId: member.userId,
    userName: member.name,
    nextOwnerIds: others.map(({ userId }) => userId),
    ...(byName === null && { byName }),
  })
  return null
}
