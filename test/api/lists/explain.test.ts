import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listQuery } from '#contract/queried-list.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { USER_LIST } from '#contract/identity/users/users.ts'
import { kyselyOver, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { userSource } from '#server/identity/index.ts'
import { vehicleSource } from '#server/vehicles/index.ts'
import { readPage } from '#server/lists/read-list.ts'
import { searchHandlers } from '#server/home/index.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const EACH = 3_000

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const { owner } = forecourt
  // The audit log of these generated rows isn't needed.
  await owner.query(`alter table vehicles disable trigger audit; alter table memberships disable trigger audit;
    alter table users disable trigger audit; alter table users disable trigger permission_change`)
  await owner.query(
    `insert into vehicles (customer_id, organization_id, lot_id, vin, stock, status, year, make, model, price_cents, in_stock_on, updated_at)
    select l.customer_id, l.organization_id, l.id, upper(md5(l.id || '/' || n)), 'S' || n,
      (array['live', 'live', 'live', 'hold', 'sold', 'incoming'])[1 + n % 6], 2010 + n % 16,
      (array['Ford', 'Toyota', 'Honda'])[1 + n % 3], 'Model ' || n % 40, nullif(n % 50, 0) * 100000 + n,
      today('UTC') - n % 300, app_now() - n * interval '1 minute'
    from lots l, generate_series(1, ${EACH}) n where l.code in ('NGF', 'NGT', 'HBP')`,
  )
  await owner.query(
    `with made as (
      insert into users (customer_id, user_type_id, user_name, email, first_name, last_name)
      select t.customer_id, t.id, 'many.' || t.customer_id || '.' || n, 'many.' || n || '@people.example', 'Many', 'Person ' || n
      from user_types t, generate_series(1, ${EACH}) n where t.name = 'Dealer user' returning customer_id, id)
    insert into memberships (customer_id, user_id, organization_id)
    select made.customer_id, made.id, o.id from made join organizations o on o.customer_id = made.customer_id`,
  )
  await forecourt.prices.workDue()
  // Also sets the visibility map, which index-only scans need.
  await owner.query('vacuum analyze')
}, 120_000)
afterAll(() => forecourt.close())

type Plan = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Subplan Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

type Reach = 'organization' | 'customer'

/** The plans of the statements of `work`, as executed by the request's role and in a tenant. */
async function plansOf(reach: Reach, work: (db: Database) => Promise<unknown>): Promise<Plan[]> {
  const client: pg.PoolClient = await forecourt.appPool.connect()
  const plans: Plan[] = []
  try {
    await client.query('begin')
    const scope = { customer_id: ford.customerId, organization_id: ford.organizationId, reach }
    for (const [name, value] of Object.entries(scope)) {
      await client.query('select set_config($1, $2, true)', [`app.${name}`, value])
    }
    await work(
      kyselyOver(async ({ sql: text, parameters }) => {
        const explained = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
          `explain (analyze, buffers, format json) ${text}`,
          [...parameters],
        )
        plans.push(...(explained.rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan: plan }) => plan))
        return client.query(text, [...parameters])
      }),
    )
    return plans
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const actor = (): Member => {
  const nobody = { id: '', customerId: ford.customerId, organizationId: ford.organizationId }
  return {
    sessionId: '',
    isVerified: true,
    userId: '',
    userName: '',
    fullName: '',
    userCustomerId: nobody.customerId,
    effectiveUserId: '',
    effectiveUserName: '',
    effectiveFullName: '',
    effectiveCustomerId: nobody.customerId,
    userTypeId: '',
    customerId: nobody.customerId,
    organizationId: nobody.organizationId,
    organizationName: '',
    timeZone: 'UTC',
    reach: 'customer',
    isPlatformStaff: false,
    impersonation: null,
    permissions: { isSuper: true, permissions: [] },
    permissionsVersion: '',
    may: () => true,
  }
}

const vehiclePage = listQuery(VEHICLE_LIST)
const userPage = listQuery(USER_LIST)

/** Tables read by a sequential scan. */
const walkedOver = (plan: Plan | undefined): unknown[] =>
  (plan === undefined ? [] : nodesOf(plan))
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'])

/** The part that finds the IDs of the page: the array of the statement. */
const partsOf = (plan: Plan | undefined): Plan[] => plan?.Plans ?? []

describe.for(['customer', 'organization'] as const)('the vehicles of one %s', (reach) => {
  test.for([
    ['-updatedAt', 'vehicles_latest'],
    ['updatedAt', 'vehicles_latest'],
    ['name', 'vehicles_name'],
    ['-name', 'vehicles_name'],
    ['stock', 'vehicles_stock'],
    ['price', 'vehicles_price'],
    ['-price', 'vehicles_price_down'],
    ['daysInStock', 'vehicles_waiting_down'],
    ['-daysInStock', 'vehicles_waiting'],
  ] as const)('sorted by %s are read from %s alone, without sorting', async ([sort, index]) => {
    const [plan] = await plansOf(reach, (db) =>
      readPage(db, actor(), vehicleSource, vehiclePage.parse({ sort })),
    )
    const [ids] = partsOf(plan)
    const nodes = ids === undefined ? [] : nodesOf(ids)
    expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toEqual([index])
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
    // Answered from the index: only the vehicles of the page are read.
    expect(nodes.map((node) => node['Node Type'])).toContain('Index Only Scan')
    expect(walkedOver(plan)).not.toContain('vehicles')
  })

  test.for([
    ['sellingPrice', 'vehicle_prices_selling'],
    ['-sellingPrice', 'vehicle_prices_selling_down'],
    ['totalPrice', 'vehicle_prices_total'],
    ['-totalPrice', 'vehicle_prices_total_down'],
  ] as const)('sorted by %s are read from %s and the page only, without sorting', async ([sort, index]) => {
    const [plan] = await plansOf(reach, (db) =>
      readPage(db, actor(), vehicleSource, vehiclePage.parse({ sort })),
    )
    const [ids] = partsOf(plan)
    const nodes = ids === undefined ? [] : nodesOf(ids)
    expect(nodes.map((node) => node['Index Name'])).toContain(index)
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
    expect(walkedOver(plan)).not.toContain('vehicles')
    expect(walkedOver(plan)).not.toContain('vehicle_prices')
  })

  test.for([
    [{ filter: 'status == "hold"' }, /^vehicles_status$/],
    [{ filter: 'status == "hold"', sort: '-updatedAt' }, /^vehicles_status$/],
    [{ filter: 'status in ["hold", "sold"]' }, /^vehicles_status$/],
    [{ filter: 'price >= 10000 && price < 10100' }, /^vehicles_price(_down)?$/],
  ] as const)('filtered by %j are counted by an index', async ([input, index]) => {
    const [plan] = await plansOf(reach, (db) =>
      readPage(db, actor(), vehicleSource, vehiclePage.parse(input)),
    )
    const nodes = partsOf(plan).flatMap(nodesOf)
    expect(walkedOver(plan)).not.toContain('vehicles')
    expect(nodes.map((node) => node['Index Name'])).toContainEqual(expect.stringMatching(index))
  })

  test('are searched without scanning the tenant', async () => {
    const { rows } = await forecourt.owner.query<{ body: string }>(
      `select replace(replace(prosrc, 'first_pattern', '''%12345%'''), 'other_patterns', '''{}''::text[]') as body
      from pg_proc where proname = 'vehicles' and pronamespace = 'search'::regnamespace`,
    )
    const client = forecourt.owner
    await client.query('begin')
    try {
      await client.query('grant forecourt_search to current_user')
      await client.query('set local role forecourt_search')
      for (const [name, value] of Object.entries({
        customer_id: ford.customerId,
        organization_id: ford.organizationId,
        reach,
      })) {
        await client.query('select set_config($1, $2, true)', [`app.${name}`, value])
      }
      const explained = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (format json) ${rows[0]?.body}`,
      )
      const nodes = explained.rows[0]?.['QUERY PLAN'].flatMap(({ Plan: plan }) => nodesOf(plan)) ?? []
      expect(nodes.map((node) => node['Index Name'])).toContain('vehicles_search')
    } finally {
      await client.query('rollback')
    }
  })
})

test.for([
  [1, ['users_name']],
  [60, []],
] as const)(
  'the IDs of page %i of the users are found without their types, access and permissions',
  async ([page, indexes]) => {
    const [plan] = await plansOf('customer', (db) =>
      readPage(db, actor(), userSource, userPage.parse({ page })),
    )
    const nodes = partsOf(plan).flatMap(nodesOf)
    // The second one belongs to row-level security.
    expect([...new Set(nodes.flatMap((node) => node['Relation Name'] ?? []))].toSorted()).toEqual([
      'memberships',
      'users',
    ])
    expect(nodes.map((node) => node['Index Name'])).toEqual(expect.arrayContaining([...indexes]))
  },
)

test.for(['mo', 'model', 'ford 2012', 'per', 's4', 'many person 59'])(
  'the global search for %s reads a few blocks, by word ranges',
  async (text) => {
    const plans = await plansOf('customer', async (db) => {
      const { find } = searchHandlers(db)
      const visit = {
        host: '',
        ip: '',
        userAgent: '',
        isWebClient: false,
        isOperator: false,
        bearer: null,
        cookie: null,
        device: null,
        xsrf: null,
        setSessionCookies: () => {},
        clearSessionCookies: () => {},
        setDeviceCookie: () => {},
        browser: null,
        setBrowserCookie: () => {},
      }
      const member = { ...actor(), may: ({ func }: { func: number }) => func !== 50 }
      return find({ db, actor: member, input: { text }, visit })
    })
    const walked = plans.flatMap(walkedOver)
    expect(
      walked.filter((name) => name === 'search_words' || name === 'vehicles' || name === 'users'),
    ).toEqual([])
    const blocks = plans.reduce(
      (sum, plan) => sum + (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
      0,
    )
    expect(blocks).toBeLessThan(1_500)
  },
)

test('a statement of the request is planned under row-level security', async () => {
  const plans = await plansOf('organization', (db) => sql`select from vehicles`.execute(db))
  expect(plans).toHaveLength(1)
  const { rows } = await forecourt.appPool.query('select current_user as name')
  expect(rows).toEqual([{ name: 'forecourt_app' }])
})
