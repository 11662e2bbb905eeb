import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { vehicles, type Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { facets, MAX_FACET_VALUES, type Facet } from '#contract/lists/facets.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let dealer: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

async function rowsOf(caller: Caller, filter: string, search?: string): Promise<Vehicle[]> {
  const rows: Vehicle[] = []
  for (let page = 1; ; page += 1) {
    const asked = { filter, search, pageSize: 200, page }
    const { results, filteredRows } = await caller.call(vehicles.list, asked)
    rows.push(...results)
    if (rows.length >= filteredRows) return rows
  }
}

const facetsOf = (caller: Caller, filter = '', search?: string) =>
  caller.call(facets.list, { list: 'vehicles', filter, search })

const countsOf = (answer: readonly Facet[], field: string): Record<string, number> =>
  Object.fromEntries(
    answer.find((facet) => facet.field === field)?.values.map(({ value, rows }) => [String(value), rows]) ??
      [],
  )

/** Counts the same values from the rows of the list. */
function byHand(rows: readonly Vehicle[], read: (row: Vehicle) => unknown): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows) {
    const key = String(read(row))
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

const FIELDS = [
  'status',
  'condition',
  'lotId',
  'year',
  'make',
  'model',
  'body',
  'fuel',
  'drivetrain',
] as const

describe('quick filter values', () => {
  test('are counted exactly, also without a filter', async () => {
    const answer = await facetsOf(admin)
    const rows = await rowsOf(admin, '')
    for (const field of FIELDS) expect(countsOf(answer, field)).toEqual(byHand(rows, (row) => row[field]))
    const tags = rows.flatMap((row) => (row.tags.length === 0 ? [null] : row.tags))
    expect(tags).toContain('Front line')
    expect(countsOf(answer, 'tags')).toEqual(
      tags.reduce<Record<string, number>>((all, tag) => {
        all[String(tag)] = (all[String(tag)] ?? 0) + 1
        return all
      }, {}),
    )
  })

  test('ignore the filter on the same field but not on other fields', async () => {
    const [status, make, cheap] = ['status in ["live", "hold"]', 'make == "FORD"', 'price < 40000']
    const answer = await facetsOf(admin, `${status} && ${make} && ${cheap}`)
    expect(countsOf(answer, 'status')).toEqual(
      byHand(await rowsOf(admin, `${make} && ${cheap}`), (row) => row.status),
    )
    expect(countsOf(answer, 'make')).toEqual(
      byHand(await rowsOf(admin, `${status} && ${cheap}`), (row) => row.make),
    )
    const both = await rowsOf(admin, `${status} && ${make} && ${cheap}`)
    expect(both.length).toBeGreaterThan(5)
    expect(countsOf(answer, 'body')).toEqual(byHand(both, (row) => row.body))
    expect(countsOf(answer, 'lotId')).toEqual(byHand(both, (row) => row.lotId))
  })

  test('of tags count rows that have all chosen tags', async () => {
    const filter = '"front LINE" in tags'
    const rows = await rowsOf(admin, filter)
    expect(rows.length).toBeGreaterThan(1)
    const counts = countsOf(await facetsOf(admin, filter), 'tags')
    expect(counts['Front line']).toBe(rows.length)
    expect(counts['null']).toBeUndefined()
  })

  test('follow other parts of the rule like the list, including exclusions on the same field', async () => {
    for (const filter of ['status != "live"', '(make == "Ford" || year > 2023)', '!(body in ["SUV"])']) {
      const rows = await rowsOf(admin, filter)
      const answer = await facetsOf(admin, filter)
      for (const field of ['status', 'make', 'body'] as const) {
        expect(countsOf(answer, field)).toEqual(byHand(rows, (row) => row[field]))
      }
    }
  })

  test('follow the search and include missing values', async () => {
    const place = await testOrganization(forecourt, 'Northgate Ford')
    const lotId = await place.addLot()
    await admin.call(vehicles.add, { lotId, model: 'Facetonly', body: 'suv' })
    await admin.call(vehicles.add, { lotId, model: 'facetonly', body: 'SUV', make: 'Ford' })
    await admin.call(vehicles.add, { lotId, model: 'Facetonly', body: 'SUV', make: 'Ford' })
    const answer = await facetsOf(admin, '', 'facetonly')
    expect(countsOf(answer, 'make')).toEqual({ Ford: 2, null: 1 })
    // Spellings that rules treat as equal are merged under the most frequent one.
    expect(countsOf(answer, 'model')).toEqual({ Facetonly: 3 })
    expect(countsOf(answer, 'body')).toEqual({ SUV: 3 })
    expect(answer.find(({ field }) => field === 'lotId')?.values).toMatchObject([{ value: lotId, rows: 3 }])
    const chosen = await facetsOf(admin, 'make == null', 'facetonly')
    expect(countsOf(chosen, 'make')).toEqual({ Ford: 2, null: 1 })
    expect(countsOf(chosen, 'model')).toEqual({ Facetonly: 1 })
  })

  test('are limited in number but always include the chosen ones', async () => {
    const place = await testOrganization(forecourt, 'Northgate Ford')
    const lotId = await place.addLot()
    for (let at = 0; at < MAX_FACET_VALUES + 5; at += 1) {
      const body = `Body ${String(at).padStart(2, '0')}`
      await admin.call(vehicles.add, { lotId, body, ...(at > 0 && { model: 'Twin' }) })
    }
    const filter = `lotId == "${lotId}" && body in ["body 52", "body 53"]`
    const found = (await facetsOf(admin, filter)).find(({ field }) => field === 'body')
    expect(found?.isCut).toBe(true)
    expect(found?.values).toHaveLength(MAX_FACET_VALUES + 2)
    expect(found?.values.slice(-2).map(({ label }) => label)).toEqual(['Body 52', 'Body 53'])
  })

  test('include only vehicles the caller has access to', async () => {
    const own = countsOf(await facetsOf(dealer), 'lotId')
    const all = countsOf(await facetsOf(admin), 'lotId')
    const mine = (await dealer.call(lots.list, { pageSize: 200 })).results.map(({ id }) => id)
    expect(Object.keys(own).every((id) => mine.includes(id))).toBe(true)
    expect(Object.keys(own).length).toBeLessThan(Object.keys(all).length)
  })
})

test('rejects an invalid rule', async () => {
  await expect(facetsOf(admin, 'nothing == 1')).toRefuse(400)
})

test('rejects an unknown list and a list the caller may not read', async () => {
  await expect(admin.call(facets.list, { list: 'nothing' })).toRefuse(404, 'List not found.')
  await expect(dealer.call(facets.list, { list: 'auditLog' })).toRefuse(403)
})

test('returns nothing for a list without quick filters', async () => {
  expect(await admin.call(facets.list, { list: 'jobs' })).toEqual([])
})

test('returns types, organizations and makes of lots', async () => {
  const answer = await admin.call(facets.list, { list: 'lots' })
  expect(answer.map(({ field }) => field)).toEqual(['type', 'organizationId', 'makes', 'timeZone'])
  const { results } = await admin.call(lots.list, { pageSize: 200 })
  const ofFord = results.filter(({ organizationName }) => organizationName === 'Northgate Ford').length
  const organizations = answer.find(({ field }) => field === 'organizationId')
  expect(organizations?.values.find(({ label }) => label === 'Northgate Ford')?.rows).toBe(ofFord)
})
