import { sql, type Kysely } from 'kysely'
import type { DeliveryState } from '#contract/leads/deliveries/lead-deliveries.ts'
import { isInbox } from '#contract/leads/routing/rule-choices.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { noteLeadEvents } from '../events/lead-events.ts'
import { assignOwner } from '../routing/route-lead.ts'
import { giveToTeam } from '../routing/share-lead.ts'
import { readSetup, setupFor } from '../routing/rule-rows.ts'
import { queueDelivery } from '../routing/queue-delivery.ts'

/** Deliveries of one customer in one transaction; then the next customer has its turn. */
const BATCH = 50

type Parts = {
  queue: Kysely<DB>
  within: <T>(customerId: string, work: (db: Database) => Promise<T>) => Promise<T>
  isOver: () => boolean
}

type Finished = {
  id: string
  organizationId: string
  leadId: string | null
  lotId: string | null
  destinationName: string
  state: DeliveryState
  doubts: number
  isUpdate: boolean
  response: string | null
  nextDestinationIds: string[]
}

/**
 * Notes finished deliveries in the timelines of their leads, sends failed ones to the next destination, and sets the status of
 * the leads. A delivery that finished is noted even if the server that finished it stopped right after.
 */
export async function settleDeliveries({ queue, within, isOver }: Parts): Promise<{ passedOn: number }> {
  let passedOn = 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- Round by round, until none is left.
    const { rows } = await sql<{ customerId: string }>`
      select distinct d.customer_id::text from lead_deliveries d
      where not d.is_settled and d.state in ('delivered', 'in-doubt', 'failed')`.execute(queue)
    let count = 0
    for (const { customerId } of rows) {
      if (isOver()) return { passedOn }
      // oxlint-disable-next-line no-await-in-loop -- One customer after another.
      const settled = await within(customerId, (db) => settle(db, customerId))
      count += settled.count
      passedOn += settled.passedOn
    }
    if (count === 0) return { passedOn }
  }
}

/**
 * Gives up deliveries to destinations that were stopped: waiting would keep their leads from the next destination and from the
 * people who can call the buyer. After the destination works again, they can be sent again.
 */
export async function giveUpStopped({ queue, within }: Pick<Parts, 'queue' | 'within'>): Promise<void> {
  const isWaiting = sql`d.state = 'queued' and d.mail_id is null and not d.is_test and exists (
    select from lead_destination_states s where s.customer_id = d.customer_id and s.destination_id = d.destination_id
      and s.stopped_at is not null)`
  const { rows } = await sql<{ customerId: string }>`
    select distinct d.customer_id::text from lead_deliveries d where ${isWaiting}`.execute(queue)
  for (const { customerId } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One customer after another.
    await within(customerId, (db) =>
      sql`update lead_deliveries d set state = case when d.doubts > 0 then 'in-doubt' else 'failed' end,
          response = 'Not sent: the destination is stopped.', next_attempt_at = null, finished_at = app_now(), is_settled = false
        where d.customer_id = ${customerId} and ${isWaiting}`.execute(db),
    )
  }
}

async function settle(db: Database, customerId: string): Promise<{ count: number; passedOn: number }> {
  const { rows } = await sql<Finished>`
    select d.id::text, d.organization_id::text, d.lead_id::text, l.lot_id::text, d.destination_name, d.state, d.doubts, d.is_update, d.response,
      array(select x::text from unnest(d.next_destination_ids) x) as next_destination_ids
    from lead_deliveries d left join leads l on l.customer_id = d.customer_id and l.id = d.lead_id
    where d.customer_id = ${customerId} and not d.is_settled and d.state in ('delivered', 'in-doubt', 'failed')
    order by d.id limit ${BATCH} for update of d skip locked`.execute(db)
  let passedOn = 0
  for (const one of rows) {
    if (one.leadId === null) continue
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    const { isPassedOn } = await settleOne(db, customerId, { ...one, leadId: one.leadId })
    if (isPassedOn) passedOn += 1
  }
  const ids = rows.map(({ id }) => id)
  // What failed has been passed on. Sent again by hand, it stays with its destination.
  await sql`update lead_deliveries set is_settled = true, next_destination_ids = '{}'
    where customer_id = ${customerId} and id = any(${ids}::bigint[])`.execute(db)
  return { count: rows.length, passedOn }
}

async function settleOne(
  db: Database,
  customerId: string,
  delivery: Finished & { leadId: string },
): Promise<{ isPassedOn: boolean }> {
  const { id, leadId, organizationId, destinationName, state, response, doubts, isUpdate } = delivery
  const lead = { id: leadId, organizationId }
  await noteLeadEvents(db, lead, [
    {
      kind: 'delivery',
      byName: null,
      data: {
        deliveryId: id,
        destination: destinationName,
        state,
        text: response ?? '',
        doubts,
        ...(isUpdate && { isUpdate }),
      },
    },
  ])
  const next = state === 'delivered' ? null : await passOn(db, customerId, delivery)
  await sql`
    update leads set status = case
      when ${next === 'inbox'} or ${isInSomeInbox(customerId, leadId)} or exists (
        select from lead_deliveries d join lead_delivery_attempts a on a.customer_id = d.customer_id and a.delivery_id = d.id
        where d.customer_id = ${customerId} and d.lead_id = ${leadId} and a.outcome = 'delivered') then 'delivered' else 'failed' end
    where customer_id = ${customerId} and id = ${leadId} and status in ('routed', 'delivered', 'failed')
      and not exists (select from lead_deliveries d where d.customer_id = ${customerId} and d.lead_id = ${leadId}
        and d.state in ('queued', 'sending'))`.execute(db)
  return { isPassedOn: next === 'outside' }
}

/** Whether the lead went to a user or team too. */
const isInSomeInbox = (customerId: string, leadId: string) => sql<boolean>`exists (
  select from lead_routes r cross join jsonb_array_elements(r.destinations) x
  join lead_destinations t on t.customer_id = r.customer_id and t.id = (x ->> 'destinationId')::bigint
  where r.customer_id = ${customerId} and r.lead_id = ${leadId} and t.kind in ('user', 'team'))`

/** Sends a lead to the first of the next destinations that is available. @returns where it went; null if nowhere. */
async function passOn(
  db: Database,
  customerId: string,
  { leadId, organizationId, lotId, nextDestinationIds }: Finished & { leadId: string },
): Promise<'inbox' | 'outside' | null> {
  if (nextDestinationIds.length === 0) return null
  const { destinations } = setupFor(await readSetup(db, customerId), organizationId)
  const [destination, ...rest] = nextDestinationIds.flatMap((id) => {
    const one = destinations.get(id)
    return one === undefined || !one.isActive || one.isOff || one.isCircuitOpen ? [] : [one]
  })
  if (destination === undefined) return null
  const lead = { id: leadId, organizationId, lotId }
  await noteLeadEvents(db, lead, [
    {
      kind: 'routed',
      byName: null,
      data: { text: `Failover: ${destination.name} is next.`, destinations: [destination.name] },
    },
  ])
  if (isInbox(destination.kind)) {
    if (destination.kind === 'user') await assignOwner(db, lead, destination, [destination, ...rest])
    // A team without members leaves it in the inbox for the first who accepts it.
    else {
      const free = { ...lead, ownerId: null, ownerName: null }
      await giveToTeam(db, free, { customerId, team: destination, byName: null })
    }
    return 'inbox'
  }
  await queueDelivery(db, { lead, destination, next: rest.map(({ id }) => id) })
  return 'outside'
}
