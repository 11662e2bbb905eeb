import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { addAssessmentRows } from '#test/factories/assessments/add-assessment-rows.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import {
  addCarbon,
  addChannelRun,
  addFeedRows,
  addLeadRows,
  addLedgerRows,
} from '#test/factories/tenant-rows.ts'

const DENIED = '42501'
/** The tables in schema public with a customer_id. The last test of this file fails if one is missing. */
const TENANT_TABLES = [
  'activity_import_lines',
  'activity_imports',
  'activity_mappings',
  'activity_records',
  'advertised_prices',
  'assessment_actions',
  'assessment_answer_log',
  'assessment_answers',
  'assessment_comments',
  'assessment_delegations',
  'assessment_evidence',
  'assessment_evidence_links',
  'assessment_flags',
  'assessment_invitations',
  'assessment_mutations',
  'assessment_participants',
  'assessment_people',
  'assessment_presence',
  'assessment_progress',
  'assessment_reminders',
  'assessment_reopenings',
  'assessment_reviews',
  'assessment_snapshots',
  'assessment_targets',
  'assessment_version_changes',
  'assessments',
  'audit_log',
  'base_year_checks',
  'base_year_notices',
  'calculation_lines',
  'calculation_results',
  'calculation_totals',
  'campaign_clicks',
  'campaign_recipients',
  'campaign_states',
  'campaigns',
  'carbon_inventories',
  'channel_exclusions',
  'channel_file_parts',
  'channel_requests',
  'channel_run_prices',
  'channel_runs',
  'channel_states',
  'channels',
  'consent_events',
  'custom_sources',
  'data_request_cells',
  'data_requests',
  'default_views',
  'deleted_dependents',
  'dvp_layout_versions',
  'dvp_layouts',
  'email_handlers',
  'email_templates',
  'emission_factor_gases',
  'emission_factors',
  'emission_sources',
  'evidence_files',
  'facilities',
  'facility_control',
  'factor_datasets',
  'feed_deliveries',
  'feed_run_partners',
  'feed_run_rows',
  'feed_runs',
  'feed_source_states',
  'feed_sources',
  'form_counts',
  'form_files',
  'form_submissions',
  'form_versions',
  'forms',
  'imported_list_people',
  'imported_list_rows',
  'imported_lists',
  'imported_totals',
  'inbound_addresses',
  'inbound_message_leads',
  'inbound_messages',
  'instrument_allocations',
  'instruments',
  'intensity_denominators',
  'inventory_approval_parts',
  'inventory_approvals',
  'inventory_facilities',
  'inventory_facility_snapshots',
  'inventory_reopenings',
  'inventory_scope3',
  'inventory_status_events',
  'job_file_parts',
  'job_rows',
  'jobs',
  'lead_absences',
  'lead_answer_templates',
  'lead_deliveries',
  'lead_delivery_attempts',
  'lead_destination_states',
  'lead_destinations',
  'lead_events',
  'lead_files',
  'lead_mail_checks',
  'lead_messages',
  'lead_moves',
  'lead_notice_settings',
  'lead_notices',
  'lead_routes',
  'lead_routing_rules',
  'lead_routing_states',
  'lead_settings',
  'lead_sources',
  'leads',
  'list_views',
  'lot_dealer_ids',
  'lot_lead_settings',
  'lots',
  'mail_events',
  'media_contents',
  'media_moves',
  'media_texts',
  'media_uploads',
  'memberships',
  'organization_profiles',
  'organizations',
  'outbox_mails',
  'past_leads',
  'people',
  'person_contacts',
  'person_distinctions',
  'person_merges',
  'photo_copies',
  'photo_hosts',
  'photo_requests',
  'photo_uses',
  'price_requests',
  'price_states',
  'pricing_rule_requests',
  'pricing_rules',
  'promo_page_addresses',
  'promo_page_checks',
  'promo_page_versions',
  'promo_page_visits',
  'promo_pages',
  'provider_mapping_versions',
  'provider_mappings',
  'questionnaire_versions',
  'questionnaires',
  'repeated_calls',
  'row_counts',
  'saved_blocks',
  'search_words',
  'short_url_checks',
  'short_url_clicks',
  'short_url_visits',
  'short_urls',
  'spent_proofs',
  'stale_sources',
  'suppressed_addresses',
  'unknown_short_keys',
  'unmapped_values',
  'unmatched_dealer_ids',
  'user_access',
  'user_permissions',
  'user_type_permissions',
  'user_types',
  'users',
  'value_mappings',
  'vehicle_history',
  'vehicle_price_history',
  'vehicle_prices',
  'vehicle_special_prices',
  'vehicles',
  'white_label_pictures',
  'white_labels',
]

let forecourt: TestApp
let home: TestOrganization
let other: TestOrganization
let sister: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  home = await testOrganization(forecourt, 'Northgate Ford')
  sister = await testOrganization(forecourt, 'Northgate Toyota')
  other = await testOrganization(forecourt, 'Harbor Honda')
  for (const { customerId } of [home, other]) {
    await forecourt.owner.query(
      `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
      select customer_id, id, 8, 6, true from users where customer_id = $1 limit 1`,
      [customerId],
    )
    await forecourt.owner.query(
      `insert into white_label_pictures (customer_id, hash, type, bytes) values ($1, $2, 'image/png', '')`,
      [customerId, 'a'.repeat(64)],
    )
    await forecourt.owner.query(
      `insert into white_labels (customer_id, domain, title) values ($1, $2, 'A domain')`,
      [customerId, `domain-${customerId}.example`],
    )
  }
  for (const place of [home, sister, other]) {
    await forecourt.owner.query(
      `insert into mail_events (customer_id, mail_id, organization_id, kind, at, source_key)
      values ($1, $2, $3, 'delivered', app_now(), 'delivered')`,
      [place.customerId, await place.addMail(), place.organizationId],
    )
    await forecourt.owner.query(
      `insert into email_templates (customer_id, key, version, subject, mjml, plain_text)
      select $1, 'invitation', coalesce(max(version), 1) + 1, 's', 'm', 't' from email_templates where customer_id = $1`,
      [place.customerId],
    )
    await place.addFacility()
    await addCarbon(forecourt.owner, place)
    await forecourt.owner.query(
      'insert into organization_profiles (customer_id, organization_id) values ($1, $2) on conflict do nothing',
      [place.customerId, place.organizationId],
    )
    await place.addHandler()
    await place.addMapping()
    await place.addSuppressed()
    await place.addFactor()
    await place.addDataset()
    await place.addValueMapping()
    await place.addUnmapped()
    await place.addUnmatched()
    await forecourt.owner.query("update lots set dealer_ids = array['D' || id] where id = $1", [
      await place.addLot(),
    ])
    await addLedgerRows(place)
    await addFeedRows(forecourt.owner, place)
    await addChannelRun(forecourt.owner, place)
    await addJobAndViews(place)
    await place.addFormFile()
    await forecourt.owner.query(
      `insert into short_url_clicks (customer_id, short_url_id, day, kind, clicks) values ($1, $2, '2026-11-18', 'person', 1)`,
      [place.customerId, await place.addShortUrl()],
    )
    await forecourt.owner.query(
      `insert into short_url_visits (customer_id, short_url_id, day, device, referrer, people)
      select customer_id, short_url_id, day, 'phone', '', clicks from short_url_clicks where customer_id = $1 on conflict do nothing`,
      [place.customerId],
    )
    await forecourt.owner.query(
      `insert into unknown_short_keys values ($1, 'misprint', 1, app_now(), app_now()) on conflict do nothing`,
      [place.customerId],
    )
    const campaign = await place.addCampaign()
    await forecourt.owner.query(
      `with r as (
        insert into campaign_recipients (customer_id, campaign_id, organization_id, name, email)
        values ($1, $2, $3, 'Casey Doe', 'casey@mail.example') returning customer_id, campaign_id, organization_id, id
      )
      insert into campaign_clicks (customer_id, campaign_id, organization_id, recipient_id, kind)
      select customer_id, campaign_id, organization_id, id, 'person' from r`,
      [place.customerId, campaign.id, place.organizationId],
    )
    await place.addImportedList()
    const page = await place.addPage({ layoutId: await place.addLayout() }, { isPublished: true })
    await place.addSavedBlocks()
    await place.call(promoPages.update, { id: page.id, slug: `${page.slug}-new` })
    await forecourt.owner.query(
      `insert into promo_page_visits (customer_id, page_id, day, kind, visits) values ($1, $2, '2026-11-18', 'person', 1)`,
      [place.customerId, page.id],
    )
    await place.addSubmission(undefined, { hasProof: true })
    await addLeadRows(forecourt.owner, place)
    await forecourt.owner.query('insert into channel_requests (customer_id) values ($1)', [place.customerId])
    await forecourt.owner.query(
      `insert into repeated_calls (customer_id, id) values ($1, repeat('0', 64)) on conflict do nothing`,
      [place.customerId],
    )
    await addAssessmentRows(forecourt.owner, place)
    await addPublished(place)
  }
  await forecourt.photos.noteUses()
  for (const place of [home, sister, other]) await addPublished(place)
})
afterAll(() => forecourt.close())

/** Adds a vehicle whose photo is to be copied. */
const addPublished = ({ addVehicle }: TestOrganization) =>
  addVehicle({
    status: 'live',
    year: 2022,
    priceCents: 1_900_000,
    photos: [{ kind: 'address' as const, place: 'https://photos.example/1.jpg', alt: '' }],
  })

/** The user with a default view in the home customer. */
let defaultViewUser = ''

/** Adds a job with a row and a file, and a default view. */
async function addJobAndViews({
  customerId,
  organizationId,
  addJob,
  addView,
  createUser,
}: TestOrganization): Promise<void> {
  const [job, view, user] = [await addJob(), await addView(), await createUser()]
  if (organizationId === home.organizationId) defaultViewUser = user
  const { owner } = forecourt
  await owner.query(
    'insert into job_rows (customer_id, job_id, row_id, organization_id) values ($1, $2, 1, $3)',
    [customerId, job, organizationId],
  )
  await owner.query(
    `insert into job_file_parts (customer_id, job_id, part, organization_id, bytes) values ($1, $2, 1, $3, '\\x00')`,
    [customerId, job, organizationId],
  )
  await owner.query(
    `insert into default_views (customer_id, user_id, list, view_id) values ($1, $2, 'jobs', $3)`,
    [customerId, user, view],
  )
  await owner.query(
    `insert into media_contents (customer_id, folder, name, bytes, version, content) values ($1, '', $2, 1, '', repeat('0', 64))`,
    [customerId, organizationId],
  )
  await owner.query('insert into media_moves (customer_id, is_running) values ($1, false)', [customerId])
  await owner.query(`insert into media_texts (customer_id, folder, name, alt) values ($1, '', $2, 'Alt')`, [
    customerId,
    organizationId,
  ])
  await owner.query(
    `insert into media_uploads (customer_id, user_id, container, root, folder, name, bytes, file_time)
     values ($1, $2, 'media', '', '', 'large', 1, 0)`,
    [customerId, user],
  )
  await owner.query(
    `insert into deleted_dependents (customer_id, table_name, row_id, dependents) values ($1, 'lots', $2, '{}')`,
    [customerId, job],
  )
}

/** Runs work as forecourt_app with these settings, and rolls it back. */
async function asApp<T>(
  settings: Record<string, string>,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await forecourt.appPool.connect()
  try {
    await client.query('begin')
    for (const [name, value] of Object.entries(settings)) {
      await client.query('select set_config($1, $2, true)', [`app.${name}`, value])
    }
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** The number of rows a statement affected: 0 if permission was denied. */
async function affected(client: pg.PoolClient, text: string, values: unknown[] = []): Promise<number> {
  await client.query('savepoint before_try')
  try {
    const { rowCount } = await client.query(text, values)
    return rowCount ?? 0
  } catch (error) {
    await client.query('rollback to savepoint before_try')
    if (codeOf(error) === DENIED) return 0
    throw error
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error)
}

const widest = () => ({
  customer_id: home.customerId,
  organization_id: home.organizationId,
  effective_user_id: defaultViewUser,
  reach: 'customer',
})
const narrow = () => ({ ...widest(), reach: 'organization' })

/** The columns of a table that an insert can set. */
async function writableColumns(table: string): Promise<string> {
  const { rows } = await forecourt.owner.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''`,
    [table],
  )
  return rows[0]?.names ?? ''
}

async function rowOfOther(table: string): Promise<string> {
  const { rows } = await forecourt.owner.query<{ image: string }>(
    `select to_jsonb(t)::text as image from ${table} t where customer_id = $1 limit 1`,
    [other.customerId],
  )
  const [row] = rows
  if (row === undefined)
    throw new Error(`There is no row of another customer in ${table}, so the test would prove nothing.`)
  return row.image
}

describe.for(TENANT_TABLES)('forecourt_app in one customer, in table %s,', (table) => {
  test('cannot read, update or delete rows of another customer', async () => {
    await rowOfOther(table)
    const counts = await asApp(widest(), async (client) => [
      await affected(client, `select from ${table} where customer_id = $1`, [other.customerId]),
      await affected(client, `select from ${table} where customer_id <> $1`, [home.customerId]),
      await affected(client, `update ${table} set customer_id = customer_id where customer_id = $1`, [
        other.customerId,
      ]),
      await affected(client, `delete from ${table} where customer_id = $1`, [other.customerId]),
    ])
    expect(counts).toEqual([0, 0, 0, 0])
  })

  test('cannot insert rows for another customer or reassign rows to one', async () => {
    const image = await rowOfOther(table)
    const columns = await writableColumns(table)
    const insert = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`
    const counts = await asApp(widest(), async (client) => [
      await affected(client, insert, [image]),
      await affected(client, `update ${table} set customer_id = $1`, [other.customerId]),
    ])
    expect(counts).toEqual([0, 0])
  })

  test('cannot access any rows without settings', async () => {
    const counts = await asApp({}, async (client) => [
      await affected(client, `select from ${table}`),
      await affected(client, `update ${table} set customer_id = customer_id`),
      await affected(client, `delete from ${table}`),
    ])
    expect(counts).toEqual([0, 0, 0])
  })

  test('finds its own rows, so that the zeros above are meaningful', async () => {
    const count = await asApp(widest(), (client) => affected(client, `select from ${table}`))
    expect(count).toBeGreaterThan(0)
  })
})

test.for([
  'lots',
  'facilities',
  'facility_control',
  'carbon_inventories',
  'inventory_facilities',
  'inventory_approval_parts',
  'inventory_approvals',
  'inventory_facility_snapshots',
  'inventory_reopenings',
  'inventory_status_events',
  'base_year_checks',
  'base_year_notices',
  'inventory_scope3',
  'intensity_denominators',
  'emission_sources',
  'custom_sources',
  'organization_profiles',
  'audit_log',
  'memberships',
  'outbox_mails',
  'vehicle_history',
  'vehicle_price_history',
  'vehicle_prices',
  'vehicle_special_prices',
  'vehicles',
  'row_counts',
  'jobs',
  'job_rows',
  'job_file_parts',
])('a user limited to one organization sees no rows of a sister organization in %s', async (table) => {
  const [own, foreign] = await asApp(narrow(), async (client) => [
    await affected(client, `select from ${table} where organization_id = $1`, [home.organizationId]),
    await affected(client, `select from ${table} where organization_id is distinct from $1`, [
      home.organizationId,
    ]),
  ])
  expect({ hasOwn: own !== 0, foreign }).toEqual({ hasOwn: true, foreign: 0 })
})

test('a user limited to one organization sees only its users', async () => {
  await sister.addMember({ userName: 'only.sister', userType: 'Dealer user' })
  const count = await asApp(narrow(), (client) =>
    affected(client, `select from users where user_name = 'only.sister'`),
  )
  expect(count).toBe(0)
})

test('private views, and views shared in a sister organization, are not visible to others', async () => {
  const { owner } = forecourt
  await owner.query(
    `insert into list_views (customer_id, list, name, scope, owner_user_id, owner_name)
    select customer_id, 'jobs', 'Private', 'private', owner_user_id, 'Ina Vited' from list_views limit 1`,
  )
  const seen = await asApp(widest(), (client) =>
    client.query<{ scope: string; organization_id: string | null }>(
      'select scope, organization_id from list_views where customer_id = $1',
      [home.customerId],
    ),
  )
  expect(seen.rows.filter(({ scope }) => scope === 'private')).toEqual([])
  expect(seen.rows.filter(({ organization_id: id }) => id === sister.organizationId)).toEqual([])
})

test('settings end with their transaction', async () => {
  await asApp(widest(), (client) => affected(client, 'select from lots'))
  const { rows } = await forecourt.appPool.query<{ left_over: string | null }>(
    `select nullif(current_setting('app.customer_id', true), '') as left_over`,
  )
  expect(rows[0]?.left_over).toBeNull()
})

test.for([
  'credentials',
  'sessions',
  'sign_in_failures',
  'permission_versions',
  'installation',
  'password_links',
  'appearances',
  'request_counts',
  'used_nonces',
])('forecourt_app cannot read iam.%s', async (table) => {
  await expect(forecourt.appPool.query(`select from iam.${table}`)).rejects.toMatchObject({ code: DENIED })
})

test.for([
  [
    'cannot write to the audit log',
    `insert into audit_log (customer_id, operation, table_name, row_id) values (1, 'event', 'x', '1')`,
  ],
  ['cannot update the audit log', `update audit_log set actor_name = 'nobody'`],
  ['cannot delete from the audit log', 'delete from audit_log'],
  ['cannot add customers', `insert into customers (name) values ('Mine')`],
  ['cannot change sign-in times', `update user_access set last_sign_in_at = app_now()`],
  ['cannot delete emails', 'delete from outbox_mails'],
  ['cannot create tables', 'create table mine (id int)'],
  ['cannot disable row level security', 'alter table lots disable row level security'],
  ['cannot bypass a policy with COPY', `copy lots from program 'true'`],
  ['cannot create objects in the schema of the job queue', 'create table queue.mine (id int)'],
] as const)('forecourt_app %s', async ([, statement]) => {
  await expect(forecourt.appPool.query(statement)).rejects.toMatchObject({ code: DENIED })
})

test('forecourt_app cannot become the owner', async () => {
  const { rows } = await forecourt.owner.query<{ name: string }>('select quote_ident(current_user) as name')
  await expect(forecourt.appPool.query(`set role ${rows[0]?.name}`)).rejects.toMatchObject({ code: DENIED })
})

test('forecourt_iam cannot read other tenant data, and of the audit log only sign-ins', async () => {
  await expect(forecourt.iamPool.query('select from lots')).rejects.toMatchObject({ code: DENIED })
  const { rows } = await forecourt.iamPool.query('select distinct table_name as name from audit_log')
  expect(rows.filter(({ name }) => name !== 'sign_ins')).toEqual([])
})

test('the list of tenant tables is complete', async () => {
  const { rows } = await forecourt.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'customer_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual(TENANT_TABLES)
})
