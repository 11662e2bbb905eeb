import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { testApp, type TestApp } from '#test/app.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

const namesFor = async (userName: string, organization?: string) => {
  const { results } = await (await forecourt.as(userName, organization)).call(lots.list, {})
  return results.map(({ name }) => name).toSorted()
}

test('an administrator lists the lots of every organization, a dealer only those of their own', async () => {
  const ford = ['Northgate Ford', 'Northgate Pre-Owned', 'Northgate Service']
  expect(await namesFor('northgate.dealer')).toEqual(ford)
  for (const organization of ['Northgate Ford', 'Northgate Toyota'])
    expect(await namesFor('northgate.admin', organization)).toEqual(
      [...ford, 'Fulton overflow', 'Northgate Toyota'].toSorted(),
    )
})

test('lots of a sister organization or another customer cannot be listed, searched or opened', async () => {
  const { results } = await (
    await forecourt.as('northgate.admin', 'Northgate Toyota')
  ).call(lots.list, { search: 'NGT' })
  const id = results[0]?.id ?? ''
  expect(results.map(({ name }) => name)).toEqual(['Northgate Toyota'])
  for (const person of ['northgate.dealer', 'harbor.dealer']) {
    const caller = await forecourt.as(person)
    expect((await caller.call(lots.list, { search: 'NGT' })).filteredRows).toBe(0)
    await expect(caller.call(lots.get, { id })).toRefuse(404)
  }
})

test('the count of lots without an address matches its filter', async () => {
  const dana = await forecourt.as('northgate.admin', 'Northgate Ford')
  const { lots: figures } = await dana.call(dashboard.get, {})
  const { results } = await dana.call(lots.list, { filter: 'address == null' })
  expect(results.map(({ name }) => name)).toEqual(['Fulton overflow'])
  expect(figures?.withoutAddress).toBe(results.length)
})
