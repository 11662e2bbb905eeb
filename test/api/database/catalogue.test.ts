import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUDIT_KINDS } from '#contract/administration/audit-list.ts'
import { openOwner } from '#server/database/connect.ts'
import { explainViolation } from '#server/database/violations.ts'
import { findTenancyHoles } from '#server/database/safety.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { listTables } from '#test/harness/snapshot.ts'
import { NOT_IN_CODE } from '../../../tools/old-words.ts'

/** Tables without a tenant. `customers` is the tenant itself, keyed by its own ID. */
const WITHOUT_TENANT = ['customers', 'schema_migrations']
/** Keys that are unique across customers, with reasons. */
const ACROSS_CUSTOMERS = [
  'users (user_name_key)', // the tenant is unknown at sign-in
  'white_labels (domain)', // a domain belongs to one customer
]
/** Tables without audit triggers, with reasons. */
const NOT_AUDITED = [
  'activity_import_lines', // lines of a file; the import and the resulting records are audited
  'advertised_prices', // a record of what was delivered, never edited
  'assessment_answer_log', // append-only, and states who and when itself
  'assessment_answers', // every change is in the answer log
  'assessment_mutations', // the same
  'assessment_presence', // who has a page open now; says nothing about the answers
  'assessment_progress', // derived from the answers
  'assessment_snapshots', // never change, and state who and when themselves
  'assessment_version_changes', // the same
  'audit_log', // is the audit log
  'campaign_clicks', // counts of what readers did
  'campaign_recipients', // a log themselves, with each email
  'campaign_states', // when a campaign sends next, and its lease
  'channel_file_parts', // part of the run
  'channel_exclusions', // the same
  'channel_requests', // the queue of channels to run
  'channel_run_prices', // the same
  'channel_runs', // record the requester and the result themselves
  'channel_states', // when a channel is due, and its lease
  'data_request_cells', // details of data_requests, which are audited
  'default_views', // a personal preference
  'deleted_dependents', // what an undo needs; the rows are audited where they are deleted and come back
  'dvp_layout_versions', // versions of dvp_layouts, whose changes are audited
  'emission_factor_gases', // never change; the factor's entry has user and time
  'feed_deliveries', // record the requester and the result themselves
  'feed_run_partners', // rows of a second file, only while it is read
  'feed_source_states', // when a source is due, and its lease
  'imported_list_people', // rows of a list, which is audited
  'imported_list_rows', // the same, until they are read
  'inbound_message_leads', // derived from leads, which are audited
  'inbound_messages', // what arrived; its leads are audited
  'form_counts', // limits of public forms
  'promo_page_checks', // derived from pages, whose changes are audited
  'promo_page_visits', // counts of what visitors did
  'short_url_clicks', // counts of what visitors did
  'short_url_visits', // the same
  'short_url_checks', // what other sites answered
  'unknown_short_keys', // the same
  'feed_run_rows', // staged rows; the run that applies them and manual vehicle changes are audited
  'inventory_approval_parts', // never change; the status change of the approval is audited
  'inventory_approvals', // the same
  'inventory_facility_snapshots', // copies of audited rows
  'job_file_parts', // a job writes its own entry when it ends
  'job_rows', // the same
  'jobs', // the same
  'base_year_checks', // the queue of base years to check
  'calculation_results', // derived from audited rows
  'calculation_lines', // the same
  'calculation_totals', // derived from audited rows
  'consent_events', // never change, and state who and when themselves
  'lead_events', // the same
  'lead_messages', // the same
  'lead_deliveries', // are a log themselves, with each attempt
  'lead_delivery_attempts', // the same
  'lead_destination_states', // whether a destination works
  'lead_routes', // never change after a lead is routed
  'lead_mail_checks', // leads to look at
  'lead_notices', // waiting emails
  'lead_routing_states', // who is next
  'lead_files', // belong to raw texts of leads; what was kept is in the timeline
  'lead_sources', // raw text of leads, which are audited
  'past_leads', // figures of deleted leads
  'lot_dealer_ids', // derived from audited rows
  'media_contents', // derived from files, whose changes are logged as events
  'media_moves', // files, whose moves are logged as events
  'media_uploads', // files that are arriving; the finished ones are logged as events
  'mail_events', // events from the email provider; changes of the email are audited
  'photo_copies', // derived from vehicles, which are audited
  'photo_hosts', // whose photos are due, and their leases
  'photo_requests', // the queue of photos
  'photo_uses', // the same as photo_copies
  'provider_mapping_versions', // versions of provider_mappings, whose changes are audited
  'price_requests', // the queue of prices to calculate
  'repeated_calls', // answers of calls for an hour; what the calls change is audited
  'price_states', // the lease of that queue
  'row_counts', // derived from audited rows
  'schema_migrations', // belongs to the product, not to a tenant
  'search_words', // derived from audited rows
  'spent_proofs', // the same as form_counts
  'unmapped_values', // values from feeds; decisions about them are value_mappings, which are audited
  'unmatched_dealer_ids', // the same, with lots
  'user_access', // sign-in times; password changes are logged as events
  'stale_sources', // the queue for recalculation
  'vehicle_history', // derived from audited rows
  'vehicle_price_history', // the same
  'vehicle_prices', // the same
  'white_label_pictures', // named by their hash in white_labels, which is audited
]
/** Written to the audit log by the product, not by a trigger. */
const WITH_EVENTS = [
  'sign_ins',
  'refusals',
  'strangers',
  'downloads',
  'reports',
  'files',
  'jobs',
  'sessions',
  'installation',
]

type Key = { table: string; kind: 'p' | 'u' | 'f'; columns: string[]; target: string | null }

let database: TestDatabase
let superuser: pg.Client
let owner: pg.Client
let tables: string[]
let keys: Key[]
beforeAll(async () => {
  database = await freshDatabase()
  superuser = openOwner(database.superuser)
  owner = openOwner(database.connection)
  await Promise.all([superuser.connect(), owner.connect()])
  tables = await listTables(owner)
  const { rows } = await owner.query<Key>(`
    select c.relname as table, k.contype as kind, nullif(k.confrelid, 0)::regclass::text as target,
      (select json_agg(a.attname order by place) from unnest(k.conkey) with ordinality as n(number, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.number) as columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f')
    union all
    select c.relname, 'u', null, json_build_array(pg_get_indexdef(i.indexrelid, 1, true), pg_get_indexdef(i.indexrelid))
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and i.indisunique
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))`)
  keys = rows
})
afterAll(async () => {
  await Promise.all([superuser.end(), owner.end()])
  await database.drop()
})

const tenantTables = () => tables.filter((table) => !WITHOUT_TENANT.includes(table))

test('the catalog query finds the core tables', () => {
  expect(tables).toEqual(expect.arrayContaining(['audit_log', 'customers', 'lots', 'organizations', 'users']))
})

test.for([
  ['p', 'primary key'],
  ['f', 'foreign key'],
  ['u', 'unique key'],
] as const)('every %s (%s) of a tenant table starts with customer_id', ([kind]) => {
  const across = keys
    .filter(
      (key) => key.kind === kind && tenantTables().includes(key.table) && key.columns[0] !== 'customer_id',
    )
    .map(({ table, columns }) => `${table} (${columns.join(', ')})`)
  expect(across.filter((name) => !ACROSS_CUSTOMERS.includes(name))).toEqual([])
})

// Renaming a column changes neither function bodies nor the names of constraints.
test('names and functions in the database have none of the old words', async () => {
  const { rows } = await owner.query<{ name: string; text: string }>(`
    with ours as (select oid from pg_namespace where nspname in ('public', 'iam', 'queue', 'library'))
    select proname as name, coalesce(pg_get_function_sqlbody(oid), prosrc) as text from pg_proc where pronamespace in (table ours)
    union all select relname, coalesce(pg_get_indexdef(i.indexrelid), relname) from pg_class c left join pg_index i on i.indexrelid = c.oid
      where relnamespace in (table ours)
    union all select conname, pg_get_constraintdef(oid) from pg_constraint where connamespace in (table ours)
    union all select tgname, pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace in (table ours) and not t.tgisinternal
    union all select c.relname, a.attname || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '') from pg_attribute a
      join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace in (table ours) and c.relkind in ('r', 'v') and not a.attisdropped`)
  expect(rows.length).toBeGreaterThan(1_500)
  const wrong = rows.flatMap(({ name, text }) =>
    NOT_IN_CODE.flatMap(({ pattern }) => {
      const found = pattern.exec(`${name} ${text}`)?.[0]
      return found === undefined ? [] : [`${name}: ${found}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('every tenant table has a primary key', () => {
  const keyed = new Set(keys.filter(({ kind }) => kind === 'p').map(({ table }) => table))
  expect(tenantTables().filter((table) => !keyed.has(table))).toEqual([])
})

test('row level security is enabled and not forced on every table except schema_migrations', async () => {
  const { rows } = await owner.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and (not relrowsecurity or relforcerowsecurity)`)
  expect(rows.map(({ name }) => name)).toEqual(['schema_migrations'])
})

test('every table has a forecourt_app policy that reads the customer setting once per statement', async () => {
  const { rows } = await owner.query<{ tablename: string; rule: string }>(`
    select tablename, coalesce(qual, '') || ' ' || coalesce(with_check, '') as rule from pg_policies
    where schemaname = 'public' and 'forecourt_app' = any(roles)`)
  const correct = rows.filter(({ rule }) => {
    const read = rule.match(/current_setting\(/g)?.length ?? 0
    const once = rule.match(/\( SELECT \(*(NULLIF\()?current_setting\(/g)?.length ?? 0
    return rule.includes("current_setting('app.customer_id'") && read === once
  })
  expect(rows.length).toBe(correct.length)
  expect([...new Set(correct.map(({ tablename }) => tablename))].toSorted()).toEqual(
    tables.filter((table) => table !== 'schema_migrations'),
  )
})

test('no policy applies to all roles', async () => {
  const { rows } = await owner.query(
    `select tablename from pg_policies where schemaname = 'public' and 'public' = any(roles)`,
  )
  expect(rows).toEqual([])
})

test('every table that is not exempt writes the audit log, after every kind of change', async () => {
  const { rows } = await owner.query<{ name: string }>(`
    select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where p.proname = 'audit_change' and t.tgenabled = 'O' and t.tgtype & 1 = 1
    group by 1 having bit_or(t.tgtype) & 29 = 29 order by 1`)
  expect(rows.map(({ name }) => name)).toEqual(tables.filter((table) => !NOT_AUDITED.includes(table)))
})

test('the audit log has a label for the rows of every table that it records', () => {
  const labels = AUDIT_KINDS.map(({ value }) => value)
  expect(labels.toSorted()).toEqual(
    [...tables.filter((table) => !NOT_AUDITED.includes(table)), ...WITH_EVENTS].toSorted(),
  )
  expect(new Set(AUDIT_KINDS.map(({ label }) => label)).size).toBe(labels.length)
})

test.for(['forecourt_app', 'forecourt_iam'])('%s owns nothing', async (role) => {
  const { rows } = await owner.query<{ things: number }>(
    `select ((select count(*) from pg_class where relowner = $1::regrole)
      + (select count(*) from pg_proc where proowner = $1::regrole)
      + (select count(*) from pg_namespace where nspowner = $1::regrole))::int as things`,
    [role],
  )
  expect(rows[0]?.things).toBe(0)
})

test('the search role reads only vehicles and owns one function, which only requests may call', async () => {
  const { rows: readable } = await owner.query(`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'iam'::regnamespace, 'search'::regnamespace) and c.relkind in ('r', 'p', 'v')
      and has_table_privilege('forecourt_search', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')`)
  expect(readable).toEqual([{ name: 'vehicles' }])
  const { rows: owned } = await owner.query(`
    select p.oid::regprocedure::text as name, array(select r.rolname::text from pg_roles r
      where r.rolname like 'forecourt%' and r.rolname <> current_user and has_function_privilege(r.oid, p.oid, 'EXECUTE') order by 1) as callers
    from pg_proc p where p.proowner = 'forecourt_search'::regrole`)
  expect(owned).toEqual([
    { name: 'search.vehicles(text,text[])', callers: ['forecourt_app', 'forecourt_search'] },
  ])
  const { rows: others } = await owner.query(`
    select relname as name from pg_class where relowner = 'forecourt_search'::regrole
    union all select nspname from pg_namespace where nspowner = 'forecourt_search'::regrole`)
  expect(others).toEqual([])
})

test('every security definer function sets its search path', async () => {
  const { rows } = await owner.query(`
    select proname from pg_proc where pronamespace in ('public'::regnamespace, 'search'::regnamespace) and prosecdef
      and not coalesce(array_to_string(proconfig, ' '), '') like '%search_path=pg_catalog%pg_temp%'`)
  expect(rows).toEqual([])
})

describe('the startup check', () => {
  test('finds nothing in a freshly migrated database', async () => {
    expect(await findTenancyHoles(owner)).toEqual([])
  })

  /** The result of the check after a change that is rolled back, because all test databases share the roles. */
  async function holesAfter(change: string): Promise<string[]> {
    await superuser.query('begin')
    try {
      await superuser.query(change)
      return await findTenancyHoles(superuser)
    } finally {
      await superuser.query('rollback')
    }
  }

  test.for([
    [
      'may bypass row level security',
      'alter role forecourt_app bypassrls',
      'The role forecourt_app may bypass row level security.',
    ],
    ['is a superuser', 'alter role forecourt_app superuser', 'The role forecourt_app is a superuser.'],
    ['owns a table', 'alter table lots owner to forecourt_app', 'The role forecourt_app owns public.lots.'],
    [
      'owns a secret table',
      'alter table iam.sessions owner to forecourt_app',
      'The role forecourt_app owns iam.sessions.',
    ],
  ] as const)('finds that forecourt_app %s', async ([, change, sentence]) => {
    expect(await holesAfter(change)).toContain(sentence)
  })

  test('finds that forecourt_app became a member of a superuser', async () => {
    const role = database.superuser.user
    expect(await holesAfter(`grant "${role}" to forecourt_app`)).toContain(
      `The role forecourt_app is a member of ${role}, which is a superuser.`,
    )
  })

  test('finds that forecourt_app is an indirect member of a superuser', async () => {
    const change = `create role between nologin; grant "${database.superuser.user}" to between; grant between to forecourt_app`
    expect((await holesAfter(change)).join(' ')).toContain('which is a superuser.')
  })

  test.for([
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
    'calculation_results',
    'calculation_lines',
    'calculation_totals',
    'carbon_inventories',
    'channel_file_parts',
    'channel_exclusions',
    'channel_requests',
    'channel_run_prices',
    'channel_runs',
    'channel_states',
    'channels',
    'custom_sources',
    'customers',
    'data_requests',
    'default_views',
    'email_handlers',
    'email_templates',
    'emission_factor_gases',
    'emission_factors',
    'emission_sources',
    'factor_datasets',
    'facilities',
    'facility_control',
    'form_files',
    'form_submissions',
    'form_versions',
    'forms',
    'inbound_addresses',
    'inbound_message_leads',
    'inbound_messages',
    'intensity_denominators',
    'lead_files',
    'inventory_facilities',
    'inventory_approval_parts',
    'inventory_approvals',
    'inventory_facility_snapshots',
    'inventory_reopenings',
    'inventory_scope3',
    'inventory_status_events',
    'instrument_allocations',
    'instruments',
    'job_file_parts',
    'job_rows',
    'jobs',
    'list_views',
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
    'photo_copies',
    'photo_hosts',
    'photo_requests',
    'photo_uses',
    'price_requests',
    'price_states',
    'pricing_rule_requests',
    'pricing_rules',
    'provider_mapping_versions',
    'provider_mappings',
    'questionnaire_versions',
    'questionnaires',
    'user_access',
    'user_permissions',
    'row_counts',
    'search_words',
    'stale_sources',
    'suppressed_addresses',
    'user_types',
    'users',
    'vehicle_history',
    'vehicle_price_history',
    'vehicle_prices',
    'vehicle_special_prices',
    'vehicles',
  ])('finds that %s lost its row level security', async (table) => {
    expect(await holesAfter(`alter table ${table} disable row level security`)).toEqual([
      `The table ${table} has no row level security.`,
    ])
  })

  test('accepts the views of an extension, as pg_stat_statements has them', async () => {
    const view = 'create view statements as select 1 as calls; grant select on statements to public'
    expect(await holesAfter(view)).toEqual(['The table statements has no row level security.'])
    expect(await holesAfter(`${view}; alter extension plpgsql add view statements`)).toEqual([])
  })

  test.for(['forecourt_app', 'forecourt_jobs', 'forecourt_login'])(
    'finds that %s may become the search role',
    async (role) => {
      expect(await holesAfter(`grant forecourt_search to ${role}`)).toContain(
        `The role ${role} is a member of forecourt_search.`,
      )
    },
  )

  test('finds that the search role may sign in or bypass row level security', async () => {
    expect(await holesAfter('alter role forecourt_search login')).toEqual([
      'The role forecourt_search may sign in.',
    ])
    expect(await holesAfter('alter role forecourt_search bypassrls')).toEqual([
      'The role forecourt_search may bypass row level security.',
    ])
  })

  test('finds a policy that does not check the customer', async () => {
    expect(await holesAfter('create policy open on lots to forecourt_app using (true)')).not.toEqual([])
  })

  test('finds that forecourt_app may become forecourt_iam', async () => {
    expect(await holesAfter('grant forecourt_iam to forecourt_app')).not.toEqual([])
  })
})

test('every constraint that no handler explains is answered with a sentence, and never with 500', async () => {
  const { rows } = await owner.query<{ name: string; tab: string; kind: 'f' | 'c' | 'u' | 'p' | 'x' }>(`
    select conname as name, conrelid::regclass::text as tab, contype as kind from pg_constraint
    where contype in ('f', 'c', 'u', 'p', 'x') and connamespace in (select oid from pg_namespace where nspname in ('public', 'iam', 'queue'))`)
  expect(rows.length).toBeGreaterThan(500)
  const CODES = { f: '23503', c: '23514', u: '23505', p: '23505', x: '23P01' }
  const unexplained: string[] = []
  for (const { name, tab, kind } of rows) {
    // As PostgreSQL raises it.
    const error = await owner
      .query(
        `do $$ begin raise exception 'violates' using errcode = '${CODES[kind]}', constraint = '${name}', table = '${tab}',
          detail = 'Key (customer_id, user_id)=(2, 1) is not present in table "users".'; end $$`,
      )
      .then(
        () => null,
        (raised: unknown) => raised,
      )
    const violation = explainViolation(error)
    const isSentence = /^[A-Z][^_]*\.$/.test(violation?.sentence ?? '')
    const isAt = kind !== 'f' || violation?.field === 'userId'
    if (violation?.status !== (kind === 'f' || kind === 'c' ? 400 : 409) || !isSentence || !isAt)
      unexplained.push(name)
  }
  expect(unexplained).toEqual([])
})
