import { sql } from 'kysely'
import {
  chooseLeadDestinations,
  pruneCursor,
  type RoutingCursor,
} from '#contract/leads/routing/choose-lead-destinations.ts'
import { describeRoute } from '#contract/leads/routing/describe-route.ts'
import type { TeamMember } from '#contract/leads/routing/next-member.ts'
import { isInbox } from '#contract/leads/routing/rule-choices.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { queueDelivery } from './queue-delivery.ts'
import { assignLead } from '../inbox/assign-lead.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { erasePeople } from '../inbox/erase-leads.ts'
import { lockLead } from '../inbox/lock-lead.ts'
import { noteMove, placeAt, readStoreName } from '../inbox/place-lead.ts'
import { readOpenLeads, readOpenOfMembers } from './open-leads.ts'
import { readRoutedLeads, type RoutedLead } from './read-facts.ts'
import { readReturning } from './returning-buyer.ts'
import { lockCursor, readSetup, setupFor, type StoredDestination, type StoredStore } from './rule-rows.ts'
import { storedFacts } from './stored-facts.ts'

/**
 * Routes a lead that was received or released. If that fails, it is stored as received, and the delivery worker routes it as
 * soon as it can: a fault in the rules loses no lead.
 */
export async function routeReceived(db: Database, leadId: string, at: Date): Promise<void> {
  await sql`savepoint before_route`.execute(db)
  try {
    await routeLead(db, leadId, at)
    await sql`release savepoint before_route`.execute(db)
  } catch {
    // The worker logs it if it happens again.
    await sql`rollback to savepoint before_route`.execute(db)
  }
}

/**
 * Routes a lead in the transaction that stored it: moves the cursors of the rules, assigns it, queues its deliveries and notes
 * why it goes there. Since all of that is one transaction, a lead that is lost in a crash has moved nothing, and shares stay
 * correct. Leads of a customer are routed one after another, because each locks the cursor.
 *
 * `at`: when it was received or released.
 *
 * A duplicate within the window of its rule keeps its status and isn't sent. Leads in quarantine and tests are not routed.
 */
export async function routeLead(db: Database, leadId: string, at: Date): Promise<void> {
  const [routed] = await readRoutedLeads(db, sql`l.id = ${leadId}`, 1)
  if (routed === undefined || routed.isTest || routed.status === 'quarantined') return
  const setup = setupFor(await readSetup(db, routed.customerId), routed.organizationId)
  // Other leads of the customer wait from here on.
  const { cursor, day } = await lockCursor(db, routed.customerId)
  const returning = await readReturning(db, routed)
  const result = chooseLeadDestinations(setup, routed.facts, pruneCursor(cursor, setup), {
    day,
    earlier: routed.earlier,
    open: await readOpenLeads(db, routed.customerId, setup.rules),
    openOf: await readOpenOfMembers(db, routed.customerId, setup.destinations.values()),
    returning,
  })
  const store = result.storeId === null ? undefined : setup.stores.get(result.storeId)
  const lead = store === undefined ? routed : await sendToStore(db, routed, store)
  const chosen = result.chosen.flatMap(({ ruleId, destinationId, next, members, returnsTo }) => {
    const destination = (store ?? setup).destinations.get(destinationId)
    return destination === undefined ? [] : [{ ruleId, next, members, returnsTo, destination }]
  })
  const sent = chosen.filter(({ destination }) => !isInbox(destination.kind))
  const reached = sent.length === 0 && chosen.length > 0 ? 'delivered' : 'routed'
  await storeRoute(db, lead, {
    at,
    // A duplicate stays one, even where it is sent.
    status: lead.status === 'duplicate' ? 'duplicate' : reached,
    cursor: result.cursor,
    ruleIds: [...new Set(chosen.map(({ ruleId }) => ruleId))],
    destinations: chosen.map(({ destination: { id, name }, returnsTo }) => ({
      destinationId: id,
      name: returnsTo?.name ?? name,
    })),
    steps: result.steps,
    facts: storedFacts({
      facts: routed.facts,
      organizationId: routed.organizationId,
      earlier: routed.earlier,
      returning,
    }),
  })
  // A duplicate that isn't sent has its entry in the timeline already.
  if (lead.status === 'duplicate' && sent.length === 0) return
  await noteLeadEvents(db, lead, [
    {
      kind: 'routed',
      at: at.toISOString(),
      byName: null,
      data: {
        text: describeRoute(result.steps),
        destinations: chosen.map(({ destination, returnsTo }) => returnsTo?.name ?? destination.name),
        ruleIds: chosen.map(({ ruleId }) => ruleId),
      },
    },
  ])
  for (const { destination, next } of sent) {
    // oxlint-disable-next-line no-await-in-loop -- One connection, and seldom more than two.
    await queueDelivery(db, { lead, destination, next })
  }
  // Its first lead has an owner.
  if (lead.status === 'duplicate') return
  if (returning !== null && (store === undefined || store.lotId === routed.lotId)) {
    await assignLead(
      db,
      { id: lead.id, organizationId: lead.organizationId, lotId: lead.lotId, ownerName: null },
      { userId: returning.userId, userName: returning.name, byName: null },
    )
    return
  }
  const owner = chosen.find(({ destination, members }) => destination.kind === 'user' || members.length > 0)
  if (owner?.destination.kind === 'team') await assignMember(db, lead, owner.members)
  else if (owner !== undefined) {
    const rule = setup.rules.find(({ id }) => id === owner.ruleId)
    const others = (rule?.targets ?? []).flatMap(
      ({ destinationId }) => (store ?? setup).destinations.get(destinationId) ?? [],
    )
    await assignOwner(db, lead, owner.destination, others)
  }
}

/** Moves a lead to the store that a rule chose for it. Its buyer is then a person of that store alone. */
async function sendToStore(db: Database, lead: RoutedLead, store: StoredStore): Promise<RoutedLead> {
  const { lotId, organizationId } = store
  if (lead.lotId === lotId) return lead
  const locked = await lockLead(db, lead.id)
  await noteMove(db, locked, {
    to: store,
    from: await readStoreName(db, locked),
    reason: null,
    by: null,
    copyId: null,
  })
  await placeAt(db, locked, store)
  if (organizationId !== lead.organizationId) await erasePeople(db, [locked.personId])
  return { ...lead, organizationId, lotId, status: 'received' }
}

/** Assigns the lead to the first of these members of a team; the others follow. */
async function assignMember(
  db: Database,
  lead: Pick<RoutedLead, 'id' | 'organizationId' | 'lotId'>,
  [member, ...others]: readonly TeamMember[],
): Promise<void> {
  if (member === undefined) return
  const { id, organizationId, lotId } = lead
  const nextOwnerIds = others.map(({ userId }) => userId)
  await assignLead(
    db,
    { id, organizationId, lotId, ownerName: null },
    { userId: member.userId, userName: member.name, nextOwnerIds, byName: null },
  )
}

/** Assigns the lead to the user of a destination; the other users of the rule follow, from the next one in its order. */
export async function assignOwner(
  db: Database,
  lead: Pick<RoutedLead, 'id' | 'organizationId' | 'lotId'>,
  destination: StoredDestination,
  others: readonly StoredDestination[],
): Promise<void> {
  if (destination.userId === null) return
  const at = others.findIndex(({ id }) => id === destination.id)
  const rotation = [...others.slice(at + 1), ...others.slice(0, Math.max(at, 0))]
  const nextOwnerIds = rotation.flatMap(({ kind, isActive, isOff, userId }) =>
    kind === 'user' && isActive && !isOff && userId !== null ? [userId] : [],
  )
  await assignLead(
    db,
    { id: lead.id, organizationId: lead.organizationId, lotId: lead.lotId, ownerName: null },
    { userId: destination.userId, userName: destination.name, nextOwnerIds, byName: null },
  )
}

/**
 * Stores the route with the moved cursor and the status of the lead. In one statement, because the customer's other leads wait
 * for the cursor until this transaction ends.
 */
async function storeRoute(
  db: Database,
  lead: RoutedLead,
  route: {
    at: Date
    status: string
    cursor: RoutingCursor
    ruleIds: readonly string[]
    destinations: readonly object[]
    steps: readonly object[]
    /** In JSON. */
    facts: string
  },
): Promise<void> {
  // A lead that leaves quarantine a second time is routed again.
  await sql`
    with moved as (
      update lead_routing_states set cursor = ${JSON.stringify(route.cursor)}::jsonb where customer_id = ${lead.customerId}
    ), routed as (
      update leads set status = ${route.status} where id = ${lead.id} and status <> ${route.status}
    )
    insert into lead_routes (lead_id, organization_id, rule_ids, destinations, steps, facts, at)
    values (${lead.id}, ${lead.organizationId}, ${[...route.ruleIds]}::bigint[], ${JSON.stringify(route.destinations)}::jsonb,
      ${JSON.stringify(route.steps)}::jsonb, ${route.facts}::jsonb, ${route.at.toISOString()}::timestamptz)
    on conflict (customer_id, lead_id) do update set rule_ids = excluded.rule_ids, destinations = excluded.destinations,
      steps = excluded.steps, facts = excluded.facts, at = excluded.at`.execute(db)
}
