import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customers } from '#contract/customers/customers/customers.ts'
import { CUSTOMER_LIST } from '#contract/customers/customers/customer-list.ts'
import { FOUND_LIST } from '#contract/customers/customers/reachable-user-list.ts'
import { LOT_LIST, lots } from '#contract/customers/lots/lots.ts'
import { USER_TYPE_LIST } from '#contract/identity/user-types/user-type-list.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { USER_LIST, users } from '#contract/identity/users/users.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { fieldsOf, type List } from '#contract/lists/list.ts'
import { HANDLER_LIST } from '#contract/mail/handlers/handler-list.ts'
import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { MAIL_LIST } from '#contract/mail/outbox/mail-list.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { SUPPRESSION_LIST } from '#contract/mail/suppressed/suppression-list.ts'
import { TEMPLATE_LIST } from '#contract/mail/templates/template-list.ts'
import { emailTemplates } from '#contract/mail/templates/templates.ts'
import { suppressions } from '#contract/mail/suppressed/suppressions.ts'
import { ORGANIZATION_LIST } from '#contract/organizations/organization-list.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let staff: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  staff = await forecourt.as('super', 'Forecourt Operations')
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  for (let n = 0; n < 6; n += 1) {
    await ford.addMail()
    await ford.addHandler()
    await ford.addSuppressed()
  }
})
afterAll(() => forecourt.close())

type Query = { page?: number; pageSize?: number; sort?: string; search?: string; filter?: string }
type Answer = { filteredRows: number; totalRows: number; ids: string[] }
type Listed = { list: List; ask: (query: Query) => Promise<Answer> }

const bare = ({
  filteredRows,
  totalRows,
  results,
}: {
  filteredRows: number
  totalRows: number
  results: { id: string }[]
}) => ({
  filteredRows,
  totalRows,
  ids: results.map(({ id }) => id),
})

/**
 * Every list with a user who sees some of its rows. Users of all customers are searched by an `a`, which every
 * address contains.
 */
const everyList: readonly Listed[] = [
  { list: CUSTOMER_LIST, ask: async (query) => bare(await staff.call(customers.list, query)) },
  { list: HANDLER_LIST, ask: async (query) => bare(await admin.call(emailHandlers.list, query)) },
  { list: TEMPLATE_LIST, ask: async (query) => bare(await admin.call(emailTemplates.list, query)) },
  { list: SUPPRESSION_LIST, ask: async (query) => bare(await admin.call(suppressions.list, query)) },
  {
    list: FOUND_LIST,
    ask: async (query) => bare(await staff.call(customers.findUsers, { search: 'a', ...query })),
  },
  { list: USER_LIST, ask: async (query) => bare(await admin.call(users.list, query)) },
  { list: USER_TYPE_LIST, ask: async (query) => bare(await admin.call(userTypes.list, query)) },
  { list: ORGANIZATION_LIST, ask: async (query) => bare(await admin.call(organizations.list, query)) },
  { list: LOT_LIST, ask: async (query) => bare(await admin.call(lots.list, query)) },
  { list: VEHICLE_LIST, ask: async (query) => bare(await admin.call(vehicles.list, query)) },
  { list: MAIL_LIST, ask: async (query) => bare(await admin.call(outbox.list, query)) },
]

const everyField = everyList.flatMap(({ list, ask }) =>
  fieldsOf(list, () => true).map(([id, field]) => ({ name: `${list.key}.${id}`, list, ask, id, field })),
)

/** All matching rows in order, page by page. */
async function wholeOf(ask: Listed['ask'], query: Query): Promise<string[]> {
  const first = await ask({ ...query, pageSize: 200 })
  const ids = [...first.ids]
  for (let page = 2; ids.length < first.filteredRows; page += 1) {
    ids.push(...(await ask({ ...query, pageSize: 200, page })).ids)
  }
  return ids
}

async function refusalOf(call: Promise<unknown>): Promise<[number, Record<string, string> | undefined]> {
  try {
    await call
  } catch (error) {
    if (error instanceof Refused) return [error.status, error.refusal.fields]
    throw error
  }
  throw new Error('It was accepted.')
}

describe.for(everyList)('the list $list.key', ({ list, ask }) => {
  test('returns small pages that together are the complete list, in the same order', async () => {
    const whole = await wholeOf(ask, {})
    const pages = await Promise.all([1, 2, 3].map((page) => ask({ page, pageSize: 2 })))
    expect(whole.length).toBeGreaterThan(1)
    expect(pages.flatMap(({ ids }) => ids)).toEqual(whole.slice(0, 6))
    expect(new Set(whole).size).toBe(whole.length)
  })

  test('without a sort uses its default sort', async () => {
    expect(await ask({})).toEqual(await ask({ sort: list.sort }))
  })

  test('past its end is empty and still counts', async () => {
    const { ids, totalRows } = await ask({ page: 100_000 })
    expect([ids, totalRows > 0]).toEqual([[], true])
  })

  test.for([
    ['nothingLikeIt == 1', /at character 1: .*nothingLikeIt.*\.$/],
    ['(', /^The rule has an error at character \d+: .*\.$/],
    ['"text"', /^The rule has an error at character 1: .*\.$/],
    ['1 + 1', /^The rule has an error at character 1: .*\.$/],
    ['constructor == 1', /^The rule has an error at character 1: .*\.$/],
    ['true && __proto__ == null', /^The rule has an error at character \d+: .*\.$/],
  ] as const)('rejects the rule %s on its field, with the position', async ([filter, sentence]) => {
    const [status, fields] = await refusalOf(ask({ filter }))
    expect([status, fields]).toEqual([400, { filter: expect.stringMatching(sentence) }])
  })

  test.for(['nothingLikeIt', 'constructor', '-__proto__'])('rejects the sort %s', async (sort) => {
    expect(await refusalOf(ask({ sort }))).toEqual([400, { sort: expect.stringContaining('Cannot sort by') }])
  })
})

test.for(everyField.filter(({ field }) => field.isSortable))(
  '$name sorts in both directions without losing a row',
  async ({ ask, id }) => {
    const [up, down] = [await wholeOf(ask, { sort: id }), await wholeOf(ask, { sort: `-${id}` })]
    expect(up.toSorted()).toEqual(down.toSorted())
    const pages = await Promise.all([1, 2].map((page) => ask({ sort: `-${id}`, page, pageSize: 3 })))
    expect(pages.flatMap(({ ids }) => ids)).toEqual(down.slice(0, 6))
  },
)

test.for(everyField.filter(({ field }) => !field.isSortable))(
  '$name is not sortable',
  async ({ ask, id }) => {
    expect(await refusalOf(ask({ sort: id }))).toEqual([
      400,
      { sort: expect.stringContaining(`Cannot sort by ${id}.`) },
    ])
  },
)

test.for(everyField.filter(({ field }) => field.isFilterable !== false))(
  '$name splits the list into rows with and without a value',
  async ({ ask, id, field }) => {
    const [has, lacks] = field.kind === 'flag' ? [id, `!${id}`] : [`${id} != null`, `${id} == null`]
    const [all, having, lacking] = await Promise.all([ask({}), ask({ filter: has }), ask({ filter: lacks })])
    expect(having.filteredRows + lacking.filteredRows).toBe(all.filteredRows)
    expect([having.totalRows, lacking.totalRows]).toEqual([all.totalRows, all.totalRows])
  },
)

test.for(everyField.filter(({ field }) => field.choices !== undefined))(
  'the choices of $name together cover all rows',
  async ({ ask, id, field }) => {
    const counts = await Promise.all(
      (field.choices ?? []).map(
        async ({ value }) => (await ask({ filter: `${id} == "${value}"` })).filteredRows,
      ),
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe((await ask({})).filteredRows)
  },
)

test('without a search no user is found across customers, regardless of the filter', async () => {
  const answer = await staff.call(customers.findUsers, { filter: 'state == "active"' })
  expect([answer.results, answer.filteredRows, answer.totalRows > 5]).toEqual([[], 0, true])
  await expect(staff.call(customers.findUsers, { filter: 'state == ' })).toRefuse(400)
})

test('filters customers by their figures', async () => {
  const { results } = await staff.call(customers.list, { pageSize: 200 })
  for (const filter of ['people > 2', 'lots >= 3 && organizations == 2', 'lastSignInAt == null'] as const) {
    const found = await staff.call(customers.list, { filter, sort: '-people' })
    const wanted = results.filter(({ people, lots: count, organizations: places, lastSignInAt }) => {
      if (filter === 'people > 2') return people > 2
      return filter === 'lastSignInAt == null' ? lastSignInAt === null : count >= 3 && places === 2
    })
    expect(found.filteredRows).toBe(wanted.length)
  }
})

test('users are filtered by the organizations they are members of', async () => {
  const toyota = await testOrganization(forecourt, 'Northgate Toyota')
  const all = (await admin.call(users.list, { pageSize: 200 })).results
  const { results } = await admin.call(users.list, {
    filter: `${toyota.organizationId} in organizationIds && state != "off"`,
    pageSize: 200,
  })
  const wanted = all.filter(
    (person) => person.organizations.some(({ id }) => id === toyota.organizationId) && person.state !== 'off',
  )
  expect(results.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
})
