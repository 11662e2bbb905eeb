import { sql } from 'kysely'
import { leadRoutingRuleRecord } from '#contract/leads/routing/lead-routing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addLeadRule, routeLead } from '#server/leads/index.ts'

/** Leads of vehicle forms that are routed by the demo rules; older ones came before the rules. */
const ROUTED = 36

/** Destinations outside the product. No mail server and no webhook of the demo exists. */
const CRM = 'CRM'
const PARTNER = 'Call center'
const APPRAISALS = 'Appraisal desk'
const TEAM = 'Internet sales team'
type Ids = Readonly<Record<string, string>>

/**
 * Adds destinations and rules, and routes the latest leads of vehicle forms by them. Most deliveries
 * arrived, one of them only when it was sent again after the server stopped; one failed, one is in doubt, and one is tried again.
 */
export async function addDemoLeadRouting(db: Database, customerId: string): Promise<void> {
  const forms = await readForms(db, customerId)
  const [ask, drive, trade] = [forms['ask'], forms['test-drive'], forms['trade-in']]
  if (ask === undefined || drive === undefined || trade === undefined) return
  const destinations = await addDestinations(db, customerId)
  const {
    [CRM]: crm = '',
    [PARTNER]: partner = '',
    [APPRAISALS]: appraisals = '',
    [TEAM]: team = '',
    Inbox: inbox = '',
  } = destinations
  const add = (rule: object) => addLeadRule(db, customerId, leadRoutingRuleRecord.create.parse(rule))
  await add({
    name: 'Test drives',
    formIds: [drive],
    hours: 'open',
    strategy: 'failover',
    targets: [{ destinationId: team }],
  })
  await add({
    name: 'Trade-ins to the appraisal desk',
    formIds: [trade],
    strategy: 'failover',
    // Beyond the daily cap of the appraisal desk, the store's inbox takes them.
    targets: [{ destinationId: appraisals }, { destinationId: inbox }],
  })
  await add({
    name: 'Vehicle questions',
    formIds: [ask],
    strategy: 'all',
    targets: [{ destinationId: crm }, { destinationId: inbox }],
  })
  await add({
    name: 'Vehicle questions at night',
    formIds: [ask],
    hours: 'closed',
    strategy: 'weighted',
    targets: [
      { destinationId: partner, weight: 2 },
      { destinationId: inbox, weight: 1 },
    ],
  })
  await add({
    name: 'Price watchers',
    isActive: false,
    sources: ['CarGurus', 'Cars.com'],
    priceToCents: 2_500_000,
    strategy: 'round-robin',
    targets: [{ destinationId: crm }, { destinationId: appraisals }],
  })
  await routeLatest(db, customerId, [ask, trade])
  await finishDeliveries(db, customerId)
  await sql`insert into lead_destination_states (customer_id, destination_id, failing_since, stopped_at, stop_reason)
    values (${customerId}, ${partner}, app_now() - interval '6 days', app_now() - interval '1 day', 'Every attempt failed for five days.')`.execute(
    db,
  )
}

async function readForms(db: Database, customerId: string): Promise<Partial<Record<string, string>>> {
  const { rows } = await sql<{ key: string; id: string }>`
    select key, id::text from forms where customer_id = ${customerId}`.execute(db)
  return Object.fromEntries(rows.map(({ key, id }) => [key, id]))
}

async function addDestinations(db: Database, customerId: string): Promise<Ids> {
  const memberIds = await readSalespeople(db, customerId)
  await db
    .insertInto('leadDestinations')
    .values([
      { name: CRM, kind: 'adf', toEmail: 'adf@crm.example' },
      { name: APPRAISALS, kind: 'email', toEmail: 'appraisals@dealer.example', dailyCap: 5 },
      {
        name: TEAM,
        kind: 'team',
        memberIds,
        memberShares: JSON.stringify(
          memberIds.slice(0, 1).map((userId) => ({ userId, weight: 1, openCap: null, dailyCap: 25 })),
        ),
      },
      // Its signing secret is made when a user asks for it.
      { name: PARTNER, kind: 'webhook', url: 'https://leads.callcenter.example/forecourt' },
    ])
    .execute()
  const { rows } = await sql<{ name: string; id: string }>`
    select name, id::text from lead_destinations where customer_id = ${customerId}`.execute(db)
  return Object.fromEntries(rows.map(({ name, id }) => [name, id]))
}

/** Users who sell. The last one is off for some days. */
async function readSalespeople(db: Database, customerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id::text from users u join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
    where u.customer_id = ${customerId} and u.is_active and t.name in ('Dealer user', 'Sales manager', 'Lead desk')
    order by u.id limit 6`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 1) {
    await sql`insert into lead_absences (customer_id, user_id, until)
      select ${customerId}, ${ids.at(-1)}, today(c.time_zone) + 2 from customers c where c.id = ${customerId}`.execute(
      db,
    )
  }
  return ids
}

/** Routes the latest leads of these forms again, in place of the catch-all rule that sent them. */
async function routeLatest(db: Database, customerId: string, formIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; receivedAt: Date }>`
    select id::text, received_at from leads where customer_id = ${customerId} and form_id = any(${[...formIds]}::bigint[])
      and status = 'delivered' order by received_at desc, id desc limit ${ROUTED}`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`delete from lead_events where customer_id = ${customerId} and kind = 'routed' and lead_id = any(${ids}::bigint[])`.execute(
    db,
  )
  for (const { id, receivedAt } of rows.toReversed()) await routeLead(db, id, new Date(receivedAt))
}

/** When the delivery that failed for the time being is tried again. */
const AGAIN_HOURS = 5

/** What became of the deliveries, by their place among the latest of their kind; the others arrived at once. */
const FATES = [
  {
    kind: 'adf',
    at: 2,
    state: 'queued',
    attempts: ['failed', 'failed', 'failed', 'failed', 'failed'],
    response: 'The mail server is busy. Try again later.',
  },
  {
    kind: 'email',
    at: 3,
    state: 'failed',
    attempts: ['failed', 'failed', 'failed'],
    response: 'Mailbox full',
  },
  {
    kind: 'adf',
    at: 4,
    state: 'delivered',
    attempts: ['in-doubt', 'delivered'],
    response: 'Accepted by the mail server.',
  },
  { kind: 'adf', at: 6, state: 'in-doubt', attempts: ['in-doubt', 'failed'], response: 'No such mailbox' },
] as const

async function finishDeliveries(db: Database, customerId: string): Promise<void> {
  const { rows } = await sql<{ id: string; kind: string; place: number; receivedAt: Date }>`
    select d.id::text, d.kind, l.received_at,
      row_number() over (partition by d.kind order by l.received_at desc, d.id desc)::int as place
    from lead_deliveries d join leads l on l.customer_id = d.customer_id and l.id = d.lead_id
    where d.customer_id = ${customerId}`.execute(db)
  const finished = rows.map(({ id, kind, place, receivedAt }) => {
    const fate = FATES.find((one) => one.kind === kind && one.at === place)
    const attempts: readonly string[] = fate?.attempts ?? ['delivered']
    const start = new Date(receivedAt).getTime() + 1_500
    return {
      id,
      createdAt: new Date(receivedAt).toISOString(),
      state: fate?.state ?? 'delivered',
      response: fate?.response ?? 'Accepted by the mail server.',
      attempts: attempts.map((outcome, n) => ({
        outcome,
        startedAt: new Date(start + n * 61_000).toISOString(),
        endedAt: new Date(start + n * 61_000 + 900).toISOString(),
      })),
    }
  })
  const of = sql`json_to_recordset(${JSON.stringify(finished)}::json) as f(id bigint, "createdAt" timestamptz, state text,
    response text, attempts json)`
  await sql`insert into lead_delivery_attempts (customer_id, delivery_id, number, organization_id, started_at, ended_at, outcome, response)
    select d.customer_id, d.id, a.number, d.organization_id, (a.value ->> 'startedAt')::timestamptz, (a.value ->> 'endedAt')::timestamptz,
      a.value ->> 'outcome', case a.value ->> 'outcome' when 'in-doubt' then null else f.response end
    from ${of} join lead_deliveries d on d.customer_id = ${customerId} and d.id = f.id
    cross join json_array_elements(f.attempts) with ordinality a (value, number)`.execute(db)
  await sql`update lead_deliveries d set state = f.state, response = f.response, created_at = f."createdAt",
      next_attempt_at = case when f.state = 'queued' then app_now() + ${AGAIN_HOURS} * interval '1 hour' end,
      attempts = a.count, doubts = a.doubts, finished_at = case when f.state <> 'queued' then a.ended_at end,
      is_settled = f.state <> 'queued'
    from ${of} cross join lateral (select count(*)::int as count, count(*) filter (where outcome = 'in-doubt')::int as doubts,
      max(ended_at) as ended_at from lead_delivery_attempts x where x.customer_id = ${customerId} and x.delivery_id = f.id) a
    where d.customer_id = ${customerId} and d.id = f.id`.execute(db)
  await sql`insert into lead_events (customer_id, organization_id, lead_id, at, kind, by_name, data)
    select d.customer_id, d.organization_id, d.lead_id, d.finished_at, 'delivery', null, jsonb_build_object('deliveryId', d.id::text,
      'destination', d.destination_name, 'state', d.state, 'text', d.response, 'doubts', d.doubts)
    from lead_deliveries d where d.customer_id = ${customerId} and d.state <> 'queued'`.execute(db)
  // Vehicle questions are in the inbox too, so those leads are delivered whatever became of the email.
  await sql`update leads l set status = case when d.kind = 'email' and d.state = 'failed' then 'failed' else 'delivered' end
    from lead_deliveries d where l.customer_id = ${customerId} and l.status = 'routed' and d.customer_id = l.customer_id
      and d.lead_id = l.id and d.state <> 'queued'`.execute(db)
}
