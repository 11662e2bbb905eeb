import { afterAll, beforeAll, expect, test } from 'vitest'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { LOOSE_REFERENCES } from '#server/database/loose-references.ts'
import { testApp, type TestApp } from '#test/app.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

/** Columns of JSON, arrays of numbers and rules that name no record whose deletion they would have to stop, by reason. */
const OTHERS: Readonly<Record<string, string>> = {
  'checked when a version is restored': 'dvp_layout_versions.bottom dvp_layout_versions.top',
  'how something was at a time, with the names of then': `
    advertised_prices.fees advertised_prices.lines assessment_mutations.response campaign_recipients.vehicles
    assessment_version_changes.dropped audit_log.after audit_log.before base_year_notices.facilities channel_run_prices.fees
    channel_run_prices.lines channel_runs.reasons deleted_dependents.dependents feed_run_partners.row feed_run_rows.after
    feed_run_rows.before feed_run_rows.was feed_runs.filled feed_runs.mapping feed_runs.unknown_dealers feed_runs.unmapped feed_runs.warnings
    form_submissions.answers form_submissions.campaign form_submissions.computed form_submissions.consents imported_lists.problems
    inventory_facility_snapshots.owners inventory_facility_snapshots.spans inventory_status_events.gaps job_rows.before job_rows.seen
    jobs.payload lead_events.data lead_routes.destinations lead_routes.rule_ids lead_routes.steps leads.asked_vehicle
    lead_moves.before lead_routes.facts leads.campaign leads.document leads.store_evidence leads.trade_in price_requests.cause price_states.causes vehicle_price_history.causes
    vehicle_price_history.rules`,
  'values, questions and columns, which name no record': `
    campaigns.weekdays activity_import_lines.left_bill activity_mappings.mapping activity_records.direct assessment_answers.source assessment_answers.value
    assessment_mutations.value assessment_progress.scores assessment_progress.sections carbon_inventories.year_rule
    channels.columns customers.contacts customers.custom_fields customers.disclaimers customers.fee_caps
    customers.price_limits customers.price_profiles form_versions.definition form_versions.lead_fields forms.draft
    feed_runs.answers feed_runs.questions forms.lead_fields forms.translations lead_routing_rules.condition lead_sources.warnings lots.holidays lots.hours
    organization_profiles.contacts outbox_mails.retry_waits pricing_rules.steps provider_mapping_versions.mapping
    provider_mappings.mapping questionnaire_versions.definition questionnaire_versions.scoring questionnaires.draft
    questionnaires.languages questionnaires.scoring vehicles.condition vehicles.custom vehicles.photos vehicles.provenance`,
  'derived again from rows that name records': `
    lead_routing_states.cursor price_requests.matching price_states.matching vehicle_prices.rule_ids`,
  'a filter of a list, which finds nothing and shows "Unavailable lot" until the lot is back':
    'list_views.state',
  'checked when the request is approved': 'pricing_rule_requests.before pricing_rule_requests.input',
  'published data that no user deletes': 'carbon_inventories.datasets',
  'what the closing of a source had closed, to reopen it': 'custom_sources.closed_sources',
  'users, whose deletion says what they are used by (users.uses)':
    'lead_destinations.member_ids lead_destinations.member_shares leads.next_owner_ids',
  'files of the media, which a move that was broken off finishes or leaves': 'media_moves.items',
  'waiting deliveries stop the deletion of a destination': 'lead_deliveries.next_destination_ids',
}

test('each column that could name a record is declared, or there is a reason', async () => {
  const { rows } = await forecourt.owner.query<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition and a.attnum > 0
      and not a.attisdropped and (a.atttypid in ('jsonb'::regtype, 'json'::regtype, 'bigint[]'::regtype, 'integer[]'::regtype)
        or a.atttypid = 'text'::regtype and a.attname ~ '(^|_)(rule|condition|filter)$')
    order by 1`)
  const declared = LOOSE_REFERENCES.flatMap(({ columns }) => columns)
  const others = Object.values(OTHERS).flatMap((names) => names.trim().split(/\s+/))
  expect([...new Set([...declared, ...others])].toSorted()).toEqual(rows.map(({ name }) => name))
})

test('each field of a vehicle that names a lot is known in the rules about vehicles', () => {
  const fields = Object.entries(VEHICLE_LIST.fields).flatMap(([name, field]) =>
    'refersTo' in field && field.refersTo === 'lots' ? [name] : [],
  )
  for (const { ruleFields } of LOOSE_REFERENCES.filter((one) => one.ruleFields !== undefined))
    expect(ruleFields).toEqual(fields)
})
