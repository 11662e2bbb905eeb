import { expect, test } from 'vitest'
import { customers } from '#contract/customers/customers/customers.ts'
import { users } from '#contract/identity/users/users.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import { drawQuarter } from '#test/suites/draw.ts'
import { describeLists } from '#test/suites/lists.ts'

// The complete matrix is in test/prove/walks/lists.prove.ts.
const forecourt = describeLists(drawQuarter)

test('without a search no user is found across customers, regardless of the filter', async () => {
  const staff = await forecourt().as('super', 'Northgate Ford')
  const answer = await staff.call(customers.findUsers, { filter: 'state == "active"' })
  expect([answer.results, answer.filteredRows, answer.totalRows > 5]).toEqual([[], 0, true])
  await expect(staff.call(customers.findUsers, { filter: 'state == ' })).toRefuse(400)
})

test('filters customers by their figures', async () => {
  const staff = await forecourt().as('super', 'Northgate Ford')
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
  const admin = await forecourt().as('northgate.admin', 'Northgate Ford')
  const toyota = await testOrganization(forecourt(), 'Northgate Toyota')
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
