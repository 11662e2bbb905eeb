import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '#contract/administration/audit-log.ts'
import { type Endpoint, listEndpoints, pathParameters } from '#contract/endpoint.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { contract } from '#contract/index.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { views } from '#contract/lists/views.ts'
import { Func, Opr, can, type Permission } from '#contract/permissions.ts'
import { describe as describePermission } from '#contract/permission-text.ts'
import { reports } from '#contract/reports/reports.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { allSources } from '#server/all-sources.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let keeper: Caller
let keeperId: string

beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  // Holds everything that a user of a customer can hold.
  keeperId = await ford.addMember({ userName: 'holds.everything', userType: 'Customer administrator' })
  keeper = await forecourt.as('holds.everything')
})
afterAll(() => forecourt.close())

const keyOf = ({ func, opr }: Permission) => `${func}/${opr}`
const askedOf = ({ allow }: Endpoint): readonly Permission[] => {
  if (typeof allow === 'string') return []
  return 'anyOf' in allow ? allow.anyOf : [allow]
}
const declared = Object.values(Func).flatMap(({ func, operations }) =>
  operations.map((opr) => ({ func, opr })),
)
const lists = allSources.map(({ list }) => list)
const ofLists = lists.flatMap(({ allow, exports, fields }) => [
  allow,
  exports,
  ...Object.values(fields).map(({ needs }) => needs),
])

/** What the server decides inside a call. Each answers differently without the permission. */
const effects: readonly { permission: Permission; prepare: () => Promise<() => Promise<unknown>> }[] = [
  {
    permission: can(Func.userTypes, Opr.administer),
    async prepare() {
      const userTypeId = await ford.userType('Auditor')
      return () =>
        keeper
          .call(views.add, { list: 'lots', name: fresh('View'), scope: 'userType', userTypeId, state: {} })
          .then(() => null)
    },
  },
  {
    permission: can(Func.impersonation, Opr.execute),
    async prepare() {
      const userId = await ford.addMember({ userName: 'looked.after', userType: 'Participant' })
      // Fails for another reason when it is allowed: the session of this test stays as it is.
      return () => keeper.call(impersonation.impersonate, { userId: `${userId}9999` })
    },
  },
  {
    permission: can(Func.carbonInsights, Opr.create),
    prepare: async () => async () =>
      (await keeper.call(dashboard.decisions, {})).filter(({ url }) => url.startsWith('/carbon/insights')),
  },
  {
    permission: can(Func.jobsAndHealth, Opr.list),
    async prepare() {
      await ford.addJob()
      return async () => (await keeper.call(jobs.list, {})).filteredRows
    },
  },
  {
    permission: can(Func.jobsAndHealth, Opr.execute),
    async prepare() {
      const selection = { ids: [await ford.addLot()] }
      const { id } = await ford.call(lots.change, { selection, change: { isPublic: false } })
      return async () => (await keeper.call(jobs.get, { id })).canCancel
    },
  },
  {
    permission: can(Func.vehicleCost, Opr.read),
    async prepare() {
      const id = await ford.addVehicle({ costCents: 1_234_500 })
      const filter = `kind == "vehicles" && rowId == "${id}"`
      const { results } = await keeper.call(auditLog.list, { filter })
      return async () => (await keeper.call(auditLog.get, { id: results[0]?.id ?? '' })).changes.length
    },
  },
  {
    permission: can(Func.vehicleCost, Opr.update),
    async prepare() {
      const id = await ford.addVehicle({ costCents: 1_000_000 })
      return async () => {
        const { version, costCents } = await keeper.call(vehicles.get, { id })
        await keeper.call(vehicles.update, { id, version, costCents: (costCents ?? 0) + 100 })
        return null
      }
    },
  },
  {
    permission: can(Func.sharedViews, Opr.create),
    prepare: async () => async () =>
      keeper
        .call(views.add, { list: 'lots', name: fresh('View'), scope: 'organization', state: {} })
        .then(() => null),
  },
]

async function without<T>(permissions: readonly Permission[], work: () => Promise<T>): Promise<T> {
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select $1, $2, func, opr, false from unnest($3::int[], $4::int[]) denied (func, opr)`,
    [ford.customerId, keeperId, permissions.map(({ func }) => func), permissions.map(({ opr }) => opr)],
  )
  try {
    return await work()
  } finally {
    await forecourt.owner.query('delete from user_permissions where user_id = $1', [keeperId])
  }
}

async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (data) => ({ data }),
    (error: unknown) => {
      if (error instanceof Refused) return { refused: error.refusal.message }
      throw error
    },
  )
}

test('every operation of the matrix is asked for by a call, a list or a rule of the server', () => {
  const asked = [
    ...listEndpoints(contract).flatMap(({ endpoint }) => askedOf(endpoint)),
    ...ofLists.flatMap((permission) => permission ?? []),
    ...effects.map(({ permission }) => permission),
  ]
  const used = new Set(asked.map(keyOf))
  expect(declared.filter((one) => !used.has(keyOf(one))).map(describePermission)).toEqual([])
  const known = new Set(declared.map(keyOf))
  expect(asked.filter((one) => !known.has(keyOf(one)))).toEqual([])
})

const guarded = listEndpoints(contract).filter(({ endpoint }) =>
  // No user of a customer holds those of the platform; the matrix of access.test.ts has its users.
  askedOf(endpoint).some(({ func }) => func !== Func.customers.func),
)
test.for([...Map.groupBy(guarded, ({ endpoint }) => askedOf(endpoint).map(keyOf).join(' or '))])(
  'calls that require %s are refused to a user who holds everything else',
  async ([, calls]) => {
    const wanted = askedOf(calls[0]?.endpoint ?? contract.auth.me)
    const answers = await without(wanted, () =>
      Promise.all(
        calls.map(async ({ name, endpoint }) => {
          const url = pathParameters(endpoint.path).reduce(
            (path, parameter) => path.replace(`{${parameter}}`, '1'),
            endpoint.path,
          )
          const { status, text } = await keeper.send({ method: endpoint.method, url })
          return { name, status, isNamed: text.includes(wanted.map(describePermission).join(' or ')) }
        }),
      ),
    )
    expect(answers.filter(({ status, isNamed }) => status !== 403 || !isNamed)).toEqual([])
  },
)

test.for(lists.filter(({ exports }) => exports !== null))(
  'exports of $key require their permission',
  async ({ key, exports, fields }) => {
    if (exports === null) return
    const [column = ''] = Object.keys(fields)
    const file = { list: key, format: 'csv' as const, columns: [column] }
    await without([exports], () =>
      expect(keeper.call(reports.exportList, file)).toRefuse(403, describePermission(exports)),
    )
  },
)

test.for(effects.map((one) => [describePermission(one.permission), one] as const))(
  '%s changes the answer of a call',
  async ([, { permission, prepare }]) => {
    const call = await prepare()
    const allowed = await outcomeOf(call())
    const denied = await without([permission], () => outcomeOf(call()))
    expect(denied).not.toEqual(allowed)
  },
)

describe('facilities of an inventory', () => {
  test('are chosen with one permission and changed with another', async () => {
    const inventory = await ford.addInventory()
    const facilityId = await ford.addFacility()
    const { choose } = contract.carbonAssignments
    const send = (choice: 'included' | 'excluded') =>
      keeper.call(choose, { inventoryId: inventory, choices: [{ facilityId, choice, reason: 'Sold' }] })
    await without([can(Func.carbonFacility, Opr.create)], () =>
      expect(send('included')).toRefuse(403, 'Carbon facility, create (15, 3)'),
    )
    await send('included')
    await without([can(Func.carbonFacility, Opr.update)], () =>
      expect(send('excluded')).toRefuse(403, 'Carbon facility, update (15, 4)'),
    )
  })
})

describe('existing customers', () => {
  const MIGRATION = join(import.meta.dirname, '../../../migrations/0155-permissions-that-decide.sql')
  const OLD = [1, 2, 3, 4, 5].map((opr) => ({ func: 19, opr }))

  type Row = { func: number; opr: number; isAllowed: boolean | null }

  /** The rights of a user type and a user after the migration, as keys. `before` and `differs` are stored before it. */
  async function migrated(
    before: readonly Permission[],
    differs: readonly (Permission & { isAllowed: boolean })[],
  ) {
    const { owner } = forecourt
    const text = await readFile(MIGRATION, 'utf8')
    const typeId = await ford.addUserType(fresh('Before'), 'Customer administrator')
    const userId = await ford.addMember({ userName: fresh('before').replace(' ', '.'), userType: 'Auditor' })
    await owner.query('begin')
    try {
      await owner.query('update users set user_type_id = $1 where id = $2', [typeId, userId])
      await owner.query(
        `insert into user_type_permissions (customer_id, user_type_id, func, opr)
        select $1, $2, func, opr from unnest($3::int[], $4::int[]) given (func, opr)`,
        [ford.customerId, typeId, before.map(({ func }) => func), before.map(({ opr }) => opr)],
      )
      for (const { func, opr, isAllowed } of differs)
        await owner.query(
          'insert into user_permissions (customer_id, user_id, func, opr, is_allowed) values ($1, $2, $3, $4, $5)',
          [ford.customerId, userId, func, opr, isAllowed],
        )
      await owner.query(text.replace('create procedure', 'create or replace procedure'))
      const { rows } = await owner.query<Row>(
        `select func, opr, null as "isAllowed" from user_type_permissions where user_type_id = $1
        union all select func, opr, is_allowed from user_permissions where user_id = $2`,
        [typeId, userId],
      )
      const ofType = rows.filter(({ isAllowed }) => isAllowed === null).map(keyOf)
      const denied = new Set(rows.filter(({ isAllowed }) => isAllowed === false).map(keyOf))
      const allowed = rows.filter(({ isAllowed }) => isAllowed === true).map(keyOf)
      return {
        type: ofType.toSorted(),
        user: [...ofType.filter((key) => !denied.has(key)), ...allowed].toSorted(),
      }
    } finally {
      await owner.query('rollback')
    }
  }

  const NEW = ['16/1', '16/3', '16/4', '16/5', '17/3', '17/4', '17/5', '18/1', '18/2', '18/3', '18/5']
  const kept = (keys: readonly string[]) => keys.filter((key) => NEW.includes(key))

  test('keep what they could do with activity data, assignments and evidence, and gain nothing', async () => {
    const all = await migrated(OLD, [])
    expect(kept(all.type)).toEqual(NEW)
    expect(kept(all.user)).toEqual(NEW)
    // Held, but not asked for until now.
    const never = await migrated(
      [16, 17, 18].map((func) => ({ func, opr: 3 })),
      [{ func: 16, opr: 4, isAllowed: true }],
    )
    expect([...kept(never.type), ...kept(never.user)]).toEqual([])
    const reader = await migrated(OLD.slice(0, 2), [{ func: 19, opr: 4, isAllowed: true }])
    expect(kept(reader.type)).toEqual(['16/1', '18/1', '18/2'])
    expect(kept(reader.user)).toEqual(['16/1', '16/4', '17/4', '18/1', '18/2', '18/3'])
  })

  test('keep what was denied to one of their users', async () => {
    const { user } = await migrated(OLD, [
      { func: 19, opr: 5, isAllowed: false },
      { func: 19, opr: 3, isAllowed: false },
      { func: 18, opr: 2, isAllowed: false },
    ])
    expect(kept(user)).toEqual(['16/1', '16/4', '17/4', '18/1', '18/3'])
  })

  test('lose operations that decided about nothing, and those who only read no longer share views', async () => {
    const writer = await migrated(
      [
        { func: 14, opr: 1 },
        { func: 4, opr: 1 },
        { func: 8, opr: 4 },
      ],
      [{ func: 44, opr: 3, isAllowed: true }],
    )
    expect(writer.user).toEqual(['51/3', '8/4'])
    const auditor = await migrated(
      [
        { func: 8, opr: 1 },
        { func: 20, opr: 3 },
      ],
      [],
    )
    expect(auditor.user).toEqual(['20/3', '8/1'])
  })
})
