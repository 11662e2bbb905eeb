import type { TestOrganization } from './test-organization.ts'
import type { TestApp } from '#test/app.ts'

type Owner = TestApp['owner']

/** Adds a custom source, and a record with its totals and calculation line, an allocated instrument, an import, a file and a request. */
export async function addLedgerRows({
  addCustomSource,
  addEvidence,
  addImport,
  addImported,
  addInstrument,
  addRecord,
  addRequest,
}: TestOrganization): Promise<void> {
  await addCustomSource()
  await addImported()
  const { inventoryId, sourceId } = await addRecord()
  await addInstrument(inventoryId, [sourceId])
  await addImport()
  await addEvidence()
  await addRequest()
}

/** Adds a feed source and a feed run. What servers send and second files contain is inserted with SQL. */
export async function addFeedRows(
  owner: Owner,
  { customerId, organizationId, addFeedSource, addFeedRun }: TestOrganization,
): Promise<void> {
  await owner.query('insert into feed_deliveries (customer_id, source_id) values ($1, $2)', [
    customerId,
    await addFeedSource(),
  ])
  await owner.query(
    `insert into feed_run_partners (customer_id, organization_id, run_id, row) values ($1, $2, $3, '{}')`,
    [customerId, organizationId, await addFeedRun()],
  )
}

/** Adds an inventory with a row in each of its child tables. */
export async function addCarbon(owner: Owner, place: TestOrganization): Promise<void> {
  const inventory = await place.addInventory()
  await place.addSource(inventory, await place.addChosenFacility(inventory))
  const ids = [place.customerId, place.organizationId, inventory]
  await owner.query(
    `insert into inventory_scope3 (customer_id, organization_id, inventory_id, category) values ($1, $2, $3, 1)`,
    ids,
  )
  await owner.query(
    `insert into intensity_denominators (customer_id, organization_id, inventory_id, place, kind, amount, unit)
    values ($1, $2, $3, 1, 'staff', 64, 'people')`,
    ids,
  )
  await addApprovalRows(owner, ids)
}

/** Adds a status change, an approval, a request to unlock, a facility snapshot and a notice to an inventory, and its base year to the queue. */
async function addApprovalRows(owner: Owner, ids: readonly string[]): Promise<void> {
  await owner.query(
    `with event as (insert into inventory_status_events (customer_id, organization_id, inventory_id, former_status, status)
      values ($1, $2, $3, 'draft', 'collecting') returning *),
    snapshot as (insert into inventory_facility_snapshots (customer_id, organization_id, inventory_id, facility_id, code, name,
      level, spans) values ($1, $2, $3, 1, 'A', 'A site', 'site', '[]')),
    approval as (insert into inventory_approvals (customer_id, organization_id, inventory_id, event_id, name, sha256, size, parts,
      lines) select customer_id, organization_id, inventory_id, id, 'An inventory', repeat('0', 64), 2, 1, 0 from event
      returning customer_id, organization_id, id),
    part as (insert into inventory_approval_parts (customer_id, organization_id, approval_id, number, content)
      select customer_id, organization_id, id, 1, '{}' from approval),
    reopening as (insert into inventory_reopenings (customer_id, organization_id, inventory_id, former_status, status, reason)
      values ($1, $2, $3, 'locked', 'approved', 'Wrong')),
    due as (insert into base_year_checks (customer_id, organization_id, inventory_id) values ($1, $2, $3))
    insert into base_year_notices (customer_id, organization_id, inventory_id, as_of, location, market, factor_location,
      factor_market, new_location, new_market, facilities) values ($1, $2, $3, '2026-01-01', 1, 1, 1, 1, 2, 2, '[]')`,
    [...ids],
  )
}

/** Adds a channel with a run, an excluded vehicle and its file. */
export async function addChannelRun(
  owner: Owner,
  { customerId, organizationId, addChannel }: TestOrganization,
): Promise<void> {
  await owner.query(
    `with run as (insert into channel_runs (customer_id, channel_id) values ($1, $2) returning customer_id, id),
    rule as (insert into pricing_rules (customer_id, name, kind, cents) values ($1, 'A rule ' || $2, 'discount', 1)),
    request as (insert into pricing_rule_requests (customer_id, kind, title, input, changed, requested_by, requester_id,
      effective_requester_id) values ($1, 'add', 'A rule', '{}', 1, 'A user', 1, 1)),
    special as (insert into vehicle_special_prices (customer_id, vehicle_id, organization_id, cents, reason)
      select customer_id, id, organization_id, 1, 'Scratch' from vehicles where customer_id = $1 and organization_id = $3 limit 1),
    price as (insert into channel_run_prices (customer_id, run_id, vehicle_id, organization_id, title, price_cents, selling_cents,
      total_cents, currency, law, fees) select customer_id, id, 1, $3, 'A vehicle', 1, 1, 1, 'USD', 'us', '[]' from run),
    advertised as (insert into advertised_prices (customer_id, organization_id, vehicle_id, title, channel_id, channel_name,
      price_meaning, price_cents, selling_cents, total_cents, currency, law, fees)
      select customer_id, $3, 1, 'A vehicle', $2, 'A channel', 'total', 1, 1, 1, 'USD', 'us', '[]' from run),
    part as (insert into channel_file_parts (customer_id, run_id, part, bytes) select customer_id, id, 0, '\\x00' from run)
    insert into channel_exclusions (customer_id, run_id, vehicle_id, organization_id, title, reasons)
    select customer_id, id, 1, $3, 'A vehicle', '{noPrice}' from run`,
    [customerId, await addChannel(), organizationId],
  )
}

/** A lead with a row in each table around it. Merges, messages and received texts have their own tests. */
export async function addLeadRows(owner: Owner, place: TestOrganization): Promise<void> {
  const { customerId } = place
  const leadId = await place.addLead()
  const own = 'customer_id, organization_id'
  const of = 'l.customer_id, l.organization_id'
  const from = 'from leads l where l.customer_id = $1 and l.id = $2'
  const deliveryId = await place.addLeadDelivery()
  for (const text of [
    `insert into lead_delivery_attempts (customer_id, delivery_id, number, organization_id)
      select customer_id, id, 1, organization_id from lead_deliveries where customer_id = $1 and id = $2`,
    `insert into lead_destination_states (customer_id, destination_id)
      select customer_id, destination_id from lead_deliveries where customer_id = $1 and id = $2`,
  ]) {
    await owner.query(text, [customerId, deliveryId])
  }
  for (const text of [
    `insert into lead_messages (${own}, lead_id, direction, text) select ${of}, l.id, 'in', 'Hello' ${from}`,
    `insert into lead_sources (${own}, content_type, raw) select ${of}, 'text/plain', 'Hello' ${from}`,
    `insert into lead_files (${own}, source_id, name, type, size, sha256, refusal)
      select s.customer_id, s.organization_id, max(s.id), 'a.exe', 'x', 1, '', 'program' from lead_sources s
      join leads l on l.customer_id = s.customer_id where l.customer_id = $1 and l.id = $2 group by 1, 2`,
    `insert into consent_events (${own}, person_id, kind, purpose, channel, text)
      select ${of}, l.person_id, 'given', 'inquiry', 'email', 'Yes' ${from}`,
    `insert into person_merges (${own}, kept_id, merged_id) select ${of}, l.person_id, l.person_id ${from}`,
    `insert into person_distinctions (${own}, one_id, other_id) select ${of}, min(p.id), l.person_id from leads l join people p on p.customer_id = l.customer_id and p.id < l.person_id
      where l.customer_id = $1 and l.id = $2 group by 1, 2, l.person_id`,
    `insert into past_leads (${own}, source_name, received_at, is_answered, is_late, outcome) select ${of}, l.source_name, l.received_at, false, false, l.outcome ${from}`,
    `insert into lead_notices (${own}, lead_id, kind, user_id) select ${of}, l.id, 'assigned', u.id from leads l
      join users u on u.customer_id = l.customer_id where l.customer_id = $1 and l.id = $2 limit 1`,
    `insert into lead_moves (customer_id, lead_id, is_copy, from_organization_id, to_organization_id, to_name)
      select l.customer_id, l.id, false, l.organization_id, l.organization_id, 'Store' ${from}`,
    `insert into lead_mail_checks (customer_id, lead_id) select l.customer_id, l.id ${from} on conflict do nothing`,
    `insert into lead_notice_settings (customer_id, user_id, is_on) select u.customer_id, u.id, true from leads l
      join users u on u.customer_id = l.customer_id where l.customer_id = $1 and l.id = $2 on conflict do nothing`,
    `insert into lead_absences (customer_id, user_id, until) select u.customer_id, u.id, '2030-01-01' from leads l
      join users u on u.customer_id = l.customer_id where l.customer_id = $1 and l.id = $2 on conflict do nothing`,
    `insert into lot_lead_settings (customer_id, lot_id, organization_id) select l.customer_id, l.lot_id, l.organization_id ${from}`,
  ]) {
    await owner.query(text, [customerId, leadId])
  }
  const messageId = await place.addInboundMessage()
  await owner.query(
    `insert into inbound_message_leads (${own}, message_id, place, lead_id, is_new) select ${of}, $3, 0, l.id, true ${from}`,
    [customerId, leadId, messageId],
  )
  await owner.query('insert into lead_settings (customer_id) values ($1) on conflict do nothing', [
    customerId,
  ])
}
