import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEqual } from '#contract/questions/changes.ts'
import { mergeChanges, type Versions } from './merge-changes.ts'

const OLD = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']
const NEW = ['k', 'l', 'm', 'n']

type Line = { id: string; name: string; cents: number }
type Bill = { title: string; note?: string; lines: Line[] }

const lines: fc.Arbitrary<Line[]> = fc.uniqueArray(
  fc.record({ id: fc.constantFrom(...OLD), name: fc.string({ maxLength: 2 }), cents: fc.nat(3) }),
  { selector: ({ id }) => id, maxLength: 8 },
)
const bills: fc.Arbitrary<Bill> = fc.record(
  { title: fc.string({ maxLength: 1 }), note: fc.string({ maxLength: 1 }), lines },
  { requiredKeys: ['title', 'lines'] },
)
/** What someone makes of a bill: other texts, other lines, or another order. */
const changedFrom = (base: Bill): fc.Arbitrary<Bill> =>
  fc
    .record({
      title: fc.option(fc.string({ maxLength: 1 })),
      note: fc.constantFrom('keep', 'drop', 'other'),
      lines: fc.tuple(
        ...base.lines.map((line) =>
          fc.oneof(
            { weight: 3, arbitrary: fc.constant(line) },
            fc.constant(null),
            fc.record({ id: fc.constant(line.id), name: fc.string({ maxLength: 2 }), cents: fc.nat(3) }),
          ),
        ),
      ),
      added: fc.uniqueArray(fc.constantFrom(...NEW), { maxLength: 2 }),
      places: fc.array(fc.nat(9), { minLength: 2, maxLength: 2 }),
      isReversed: fc.boolean(),
    })
    .map(({ title, note, lines: kept, added, places, isReversed }) => {
      const some = kept.flatMap((line) => line ?? [])
      const ordered = isReversed ? some.toReversed() : some
      for (const [at, id] of added.entries()) {
        ordered.splice(places[at] ?? 0, 0, { id, name: `new ${id}${places[at]}`, cents: 9 })
      }
      const { note: before, ...rest } = base
      const text = note === 'other' ? 'X' : before
      const bill = { ...rest, title: title ?? base.title, lines: ordered }
      return note === 'drop' || text === undefined ? bill : { ...bill, note: text }
    })
const versions: fc.Arbitrary<Versions<Bill>> = bills.chain((base) =>
  fc.record({ base: fc.constant(base), mine: changedFrom(base), theirs: changedFrom(base) }),
)

/** What must come out for one value: the only change, or mine if both changed it. */
const expected = <T>({ base, mine, theirs }: Versions<T>): T => (isEqual(mine, base) ? theirs : mine)

test('nothing that only one of them changed, added, removed or moved is lost', () => {
  fc.assert(
    fc.property(versions, ({ base, mine, theirs }) => {
      const merged = mergeChanges({ base, mine, theirs })
      expect(merged.title).toBe(expected({ base: base.title, mine: mine.title, theirs: theirs.title }))
      expect(merged.note).toBe(expected({ base: base.note, mine: mine.note, theirs: theirs.note }))
      const lineOf = (bill: Bill, id: string) => bill.lines.find((line) => line.id === id)
      for (const id of [...OLD, ...NEW]) {
        const all = { base: lineOf(base, id), mine: lineOf(mine, id), theirs: lineOf(theirs, id) }
        const found = lineOf(merged, id)
        const of = <K extends keyof Line>(key: K) =>
          expected({ base: all.base?.[key], mine: all.mine?.[key], theirs: all.theirs?.[key] })
        const isEdited = all.base && all.mine && all.theirs
        expect(found).toEqual(isEdited ? { id, name: of('name'), cents: of('cents') } : expected(all))
      }
      expect(new Set(merged.lines.map(({ id }) => id)).size).toBe(merged.lines.length)
    }),
    { numRuns: 400 },
  )
})

const orderIn = (bill: Bill, of: readonly string[]) =>
  bill.lines.map(({ id }) => id).filter((id) => of.includes(id))

test('the order of the person who moved something stays, and additions follow what they were added after', () => {
  fc.assert(
    fc.property(versions, ({ base, mine, theirs }) => {
      const merged = mergeChanges({ base, mine, theirs })
      const common = base.lines
        .map(({ id }) => id)
        .filter((id) => [mine, theirs, merged].every((bill) => bill.lines.some((line) => line.id === id)))
      const orders = {
        base: orderIn(base, common),
        mine: orderIn(mine, common),
        theirs: orderIn(theirs, common),
      }
      expect(orderIn(merged, common)).toEqual(expected(orders))
    }),
    { numRuns: 200 },
  )
})

test('what both changed is all that differs between the two winners', () => {
  fc.assert(
    fc.property(versions, (all) => {
      const [one, other] = [mergeChanges(all, 'mine'), mergeChanges(all, 'theirs')]
      const swapped = mergeChanges({ base: all.base, mine: all.theirs, theirs: all.mine }, 'theirs')
      const byId = (bill: Bill) => ({ ...bill, lines: bill.lines.toSorted((a, b) => (a.id < b.id ? -1 : 1)) })
      expect(byId(swapped)).toEqual(byId(one))
      const isApart = isEqual(all.mine, all.base) || isEqual(all.theirs, all.base)
      expect(isEqual(other, one) || !isApart).toBe(true)
    }),
    { numRuns: 200 },
  )
})

const merge = <T>(base: T, mine: T, theirs: T): T => mergeChanges({ base, mine, theirs })

test.each([
  ['texts are kept apart as a set', ['Ford'], ['Ford', 'Kia'], ['Audi'], ['Kia', 'Audi']],
  ['a removed text stays removed', ['a', 'b', 'c'], ['a', 'c'], ['a', 'b', 'c', 'd'], ['a', 'c', 'd']],
  ['numbers are known by their place', [0, 0, 0], [1, 0, 0], [0, 0, 2], [1, 0, 2]],
  ['without a place in common, the winner is taken', [0, 0], [1, 0], [0], [1, 0]],
  [
    'rows without a key are known by what they have in common',
    [
      { from: '0', points: '1' },
      { from: '5', points: '2' },
    ],
    [
      { from: '0', points: '1' },
      { from: '5', points: '4' },
    ],
    [
      { from: '0', points: '1' },
      { from: '3', points: '9' },
      { from: '5', points: '2' },
    ],
    [
      { from: '0', points: '1' },
      { from: '3', points: '9' },
      { from: '5', points: '4' },
    ],
  ],
  [
    'a holiday is known by its day, also if the day is what changed',
    [
      { on: '2026-12-25', name: 'Christmas', hours: '' },
      { on: '2026-12-31', name: 'New Year', hours: '' },
    ],
    [
      { on: '2026-12-24', name: 'Christmas', hours: '' },
      { on: '2026-12-31', name: 'New Year', hours: '' },
    ],
    [
      { on: '2026-12-25', name: 'Christmas', hours: '9-12' },
      { on: '2026-12-31', name: 'New Year', hours: '9-15' },
    ],
    [
      { on: '2026-12-24', name: 'Christmas', hours: '9-12' },
      { on: '2026-12-31', name: 'New Year', hours: '9-15' },
    ],
  ],
  [
    'a reference is known by the ID of what it refers to, also after a move',
    [
      { destinationId: '1', weight: '1' },
      { destinationId: '2', weight: '1' },
    ],
    [
      { destinationId: '1', weight: '1' },
      { destinationId: '2', weight: '5' },
    ],
    [
      { destinationId: '2', weight: '1' },
      { destinationId: '1', weight: '1' },
    ],
    [
      { destinationId: '2', weight: '5' },
      { destinationId: '1', weight: '1' },
    ],
  ],
])('%s', (_, base, mine, theirs, merged) => {
  expect(merge<unknown>(base, mine, theirs)).toEqual(merged)
})

test('what became another kind and was changed otherwise is one conflict, never a mixture', () => {
  const base = [{ code: 'a', type: 'text', maxLength: 5 }]
  const number = [{ code: 'a', type: 'number', decimals: 2 }]
  const longer = [{ code: 'a', type: 'text', maxLength: 9 }]
  expect(merge<unknown>(base, number, longer)).toEqual(number)
  expect(merge<unknown>(base, longer, number)).toEqual(longer)
  expect(merge<unknown>(base, [{ ...base[0], help: 'Why' }], [{ ...base[0], help: 'How' }])).toEqual([
    { ...base[0], help: 'Why' },
  ])
})
