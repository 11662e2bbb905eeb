import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { FOUND_LIST } from '#contract/customers/customers/reachable-user-list.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { fieldsOf, type List, type ListField } from '#contract/lists/list.ts'
import { listOf, queriedList } from '#contract/queried-list.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import type { Draw } from './draw.ts'

let forecourt: TestApp
let staff: Caller

type Query = { page?: number; pageSize?: number; sort?: string; search?: string; filter?: string }
type Answer = { filteredRows: number; totalRows: number; ids: string[] }
type Listed = { list: List; ask: (query: Query) => Promise<Answer> }

const Found = queriedList(z.object({ id: z.string() }))

/**
 * Every list, as a user who sees some of its rows reads it. Users of all customers are searched by an `a`, which every
 * address contains.
 */
const everyList = listEndpoints(contract).flatMap(({ endpoint }): Listed[] => {
  const list = listOf(endpoint)
  if (list === undefined) return []
  const always: Query = list === FOUND_LIST ? { search: 'a' } : {}
  const ask = async (query: Query): Promise<Answer> => {
    const { results, ...counts } = Found.parse(await staff.call(endpoint, { ...always, ...query }))
    return { ...counts, ids: results.map(({ id }) => id) }
  }
  return [{ list, ask }]
})

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

/**
 * Tests that every list pages, sorts and filters: by all of its fields, or by those that `draw` selects.
 * @returns the product, for further tests in the same file
 */
export function describeLists(draw: Draw): () => TestApp {
  beforeAll(async () => {
    forecourt = await testApp()
    staff = await forecourt.as('super', 'Northgate Ford')
    const ford = await testOrganization(forecourt, 'Northgate Ford')
    for (let n = 0; n < 6; n += 1) {
      await ford.addMail()
      await ford.addHandler()
      await ford.addSuppressed()
      await ford.addLayout()
    }
    // Everyone sees only their own jobs.
    for (const isPublic of [false, true])
      await staff.call(lots.change, { selection: { all: true }, change: { isPublic } })
    await forecourt.jobs.runDue()
  })
  afterAll(() => forecourt.close())

  describePages()
  describeFields((word, isMeant) =>
    everyList.flatMap(({ list, ask }) => {
      const fields = fieldsOf(list, () => true).filter(([, field]) => isMeant(field))
      const named = fields.map(([id, field]) => ({ name: `${list.key}.${id}`, ask, id, field }))
      return draw(`${list.key} ${word}`, named, 3)
    }),
  )
  return () => forecourt
}

function describePages(): void {
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
      expect(await refusalOf(ask({ sort }))).toEqual([
        400,
        { sort: expect.stringContaining('Cannot sort by') },
      ])
    })
  })
}

type DrawFields = (
  word: string,
  isMeant: (field: ListField) => boolean,
) => { name: string; ask: Listed['ask']; id: string; field: ListField }[]

function describeFields(drawn: DrawFields): void {
  test.for(drawn('sorts', ({ isSortable }) => isSortable === true))(
    '$name sorts in both directions without losing a row',
    async ({ ask, id }) => {
      const [up, down] = [await wholeOf(ask, { sort: id }), await wholeOf(ask, { sort: `-${id}` })]
      expect(up.toSorted()).toEqual(down.toSorted())
      const pages = await Promise.all([1, 2].map((page) => ask({ sort: `-${id}`, page, pageSize: 3 })))
      expect(pages.flatMap(({ ids }) => ids)).toEqual(down.slice(0, 6))
    },
  )

  test.for(drawn('does not sort', ({ isSortable }) => isSortable !== true))(
    '$name is not sortable',
    async ({ ask, id }) => {
      expect(await refusalOf(ask({ sort: id }))).toEqual([
        400,
        { sort: expect.stringContaining(`Cannot sort by ${id}.`) },
      ])
    },
  )

  test.for(drawn('splits', ({ isFilterable }) => isFilterable !== false))(
    '$name splits the list into rows with and without a value',
    async ({ ask, id, field }) => {
      const [has, lacks] = field.kind === 'flag' ? [id, `!${id}`] : [`${id} != null`, `${id} == null`]
      const [all, having, lacking] = await Promise.all([
        ask({}),
        ask({ filter: has }),
        ask({ filter: lacks }),
      ])
      expect(having.filteredRows + lacking.filteredRows).toBe(all.filteredRows)
      expect([having.totalRows, lacking.totalRows]).toEqual([all.totalRows, all.totalRows])
    },
  )

  test.for(drawn('has choices', ({ choices }) => choices !== undefined))(
    'the choices of $name together cover all rows with a value',
    async ({ ask, id, field }) => {
      let sum = 0
      // One after another: a user may load only some lists at once.
      for (const { value } of field.choices ?? []) {
        sum += (await ask({ filter: `${id} == "${value}"` })).filteredRows
      }
      expect(sum).toBe((await ask({ filter: `${id} != null` })).filteredRows)
    },
  )
}
