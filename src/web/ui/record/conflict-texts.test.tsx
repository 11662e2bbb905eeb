import { expect, test } from 'vitest'
import { describeDifferences, findDifferences } from './differences.ts'
import type { KeptTyping } from '#web/session/kept-forms.ts'
import { combineKept, mergeKept, replacedBy } from './kept-typing.ts'
import { bringsBack, mergeChanges } from './merge-changes.ts'
import { describeKept, describeReplaced } from './RecordForm.tsx'
import { changedFields, describeChanged, describeOverwrite } from './StaleDialog.tsx'

const labels = { city: 'City', phone: 'Phone', fees: 'Mandatory fees', colors: 'Colors' }
type Values = Record<keyof typeof labels, unknown>

const fee = (name: string, cents: string) => ({ name, cents })
const base: Values = { city: 'Reno', phone: '', fees: [fee('Document', '85'), fee('Smog', '50')], colors: {} }

function linesOf(mine: Partial<Values>, theirs: Partial<Values>): string[] {
  const versions = { base, mine: { ...base, ...mine }, theirs: { ...base, ...theirs } }
  const merged = mergeChanges(versions)
  const changed = changedFields(labels, { ...versions, merged, yielding: mergeChanges(versions, 'theirs') })
  return describeChanged(labels, changed)
}

test('a conflict says what was saved meanwhile, what this user changed, and what both changed', () => {
  expect(linesOf({ city: 'Elko', phone: '1' }, { city: 'Ely' })).toEqual([
    'Saved meanwhile: City.',
    'Your changes: City, Phone.',
    'Changed by both: City.',
  ])
  expect(linesOf({ phone: '1' }, { city: 'Ely' })).toEqual([
    'Saved meanwhile: City.',
    'Your changes: Phone.',
    'Changed by both: nothing.',
  ])
})

test('two fees that two users changed are the same field, and nothing that both changed', () => {
  const [document, smog] = [fee('Document', '85'), fee('Smog', '50')]
  expect(linesOf({ fees: [document, fee('Smog', '60')] }, { fees: [fee('Document', '90'), smog] })).toEqual([
    'Saved meanwhile: Mandatory fees.',
    'Your changes: Mandatory fees.',
    'Changed by both: nothing.',
  ])
  expect(
    linesOf({ fees: [document, fee('Smog', '60')] }, { fees: [document, fee('Smog', '70')] }).at(-1),
  ).toBe('Changed by both: Mandatory fees.')
})

test('a deletion that overwriting does not save is named', () => {
  const [mine, theirs] = [
    { ...base, fees: [fee('Document', '85')] },
    { ...base, colors: { of: 'Smog' } },
  ]
  const linesFor = (merged: Values) =>
    describeChanged(labels, changedFields(labels, { base, mine, theirs, merged, yielding: merged }))
  expect(linesFor({ ...theirs, fees: base.fees })).toEqual([
    'Saved meanwhile: Colors.',
    'Your changes: Mandatory fees.',
    'Changed by both: nothing.',
    'Deleted by you, but changed or used meanwhile, so it stays: Mandatory fees.',
  ])
  const changed = changedFields(labels, {
    base,
    mine: theirs,
    theirs: mine,
    merged: { ...theirs, fees: base.fees },
    yielding: base,
  })
  expect(describeChanged(labels, changed).at(-1)).toBe(
    'Deleted meanwhile, but changed or used by you, so it stays: Mandatory fees.',
  )
  expect(linesFor({ ...theirs, fees: mine.fees })).toHaveLength(3)
  expect(linesFor({ ...theirs, fees: [...mine.fees, fee('Title', '20')] })).toHaveLength(3)
  expect(bringsBack({ base: { email: 'q1' }, mine: { email: null }, merged: { email: 'q1' } })).toBe(true)
  expect(bringsBack({ base: { email: 'q1' }, mine: { email: 'q2' }, merged: { email: 'q2' } })).toBe(false)
})

test('it says what each button does', () => {
  expect(describeOverwrite({ isReplacing: false, discard: 'Reload' })).toBe(
    'Overwrite saves your changes and keeps what was saved meanwhile. Reload takes the saved version without your changes.',
  )
  expect(describeOverwrite({ isReplacing: true, discard: 'Discard mine' })).toBe(
    'Overwrite saves your changes and keeps what was saved meanwhile. Where both changed the same, yours replaces it. Discard mine takes the saved version without your changes.',
  )
})

test('values without a text of their own are compared by their parts', () => {
  const before = { skipRule: null, fields: [{ name: 'VIN', column: 'A' }], makes: ['Ford'] }
  const after = { skipRule: { rule: 'x' }, fields: [{ name: 'VIN', column: 'B' }], makes: ['Ford', 'Kia'] }
  expect(describeDifferences(before, after)).toEqual([
    'Skip rule, rule: x added',
    'Fields, VIN, column: B instead of A',
    'Makes: Ford, Kia instead of Ford',
  ])
  expect(describeDifferences(before, before)).toEqual([])
})

const kept = (id: string, at: number, values: object, loaded?: object): KeptTyping => ({
  id,
  place: '',
  at,
  values: { ...values },
  ...(loaded && { loaded: { ...loaded } }),
})

test('kept text of several openings is one notice with its fields, and an older text of the same field the next one', () => {
  const found = [
    kept('newest', 3, { city: 'Elko' }),
    kept('older', 2, { city: 'Ely', phone: '1' }),
    kept('same', 1, { city: 'Elko' }),
  ]
  const { offer, rest } = combineKept(found, () => false)
  expect(offer).toMatchObject({ at: 3, values: { city: 'Elko', phone: '1' } })
  expect(rest).toMatchObject([{ id: 'older', values: { city: 'Ely' } }])
  expect(combineKept(rest, () => false)).toMatchObject({
    offer: { at: 2, values: { city: 'Ely' } },
    rest: [],
  })
  expect(combineKept(found, () => true)).toEqual({ offer: null, rest: [] })
})

test('the notice names the fields and when they were typed', () => {
  const at = Date.now() - 5 * 60_000
  expect(describeKept({ at, values: { phone: '1', city: 'Elko' } }, labels)).toBe(
    'You typed something here 5 min. ago that wasn’t saved: City, Phone.',
  )
  expect(describeKept({ at, values: { text: 'x' } }, {})).toBe(
    'You typed something here 5 min. ago that wasn’t saved.',
  )
  const many = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, name.toUpperCase()]),
  )
  expect(describeKept({ at, values: many }, many)).toContain(': A, B, C, D, 3 other fields.')
})

test('what is put back keeps what others changed since it was typed', () => {
  const loaded = { fees: base.fees }
  const values = { fees: [fee('Document', '85'), fee('Smog', '60')] }
  const now = { fees: [fee('Document', '90'), fee('Smog', '50')] }
  expect(mergeKept(kept('a', 1, values, loaded), now)).toEqual({
    fees: [fee('Document', '90'), fee('Smog', '60')],
  })
  expect(mergeKept(kept('a', 1, values), now)).toEqual(values)
})

test('fields are equal whatever the order of their properties', () => {
  expect(findDifferences({ a: 'A' }, { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } })).toEqual([])
})

test('what someone changed since something was typed is named before it is replaced', () => {
  const values = { city: 'Mine', phone: '5', holidays: [{ name: 'a', on: '2' }] }
  const loaded = { city: 'Old', phone: '4', holidays: [{ name: 'a', on: '1' }] }
  const now = { city: 'Theirs', phone: '4', holidays: [{ name: 'a', on: '3' }] }
  const replaced = replacedBy({ values, loaded }, now)
  expect(replaced).toEqual({ city: 'Theirs', holidays: now.holidays })
  expect(replacedBy({ values, loaded }, loaded)).toEqual({})
  expect(replacedBy({ values, loaded }, values)).toEqual({})
  expect(describeReplaced(replaced, { city: 'City', phone: 'Phone', holidays: 'Holidays' })).toBe(
    'Changed by someone since then: City (Theirs), Holidays. Putting yours back replaces that.',
  )
  expect(describeReplaced({}, { city: 'City' })).toBe('')
})

test('what was saved without the spaces around it was not changed by someone', () => {
  const typed = { city: ' Mineral Wells', fees: [{ name: 'Smog ', cents: '60' }] }
  const sent = { city: ' Mine', fees: [{ name: 'Smog ', cents: '50' }] }
  const now = { city: 'Mine', fees: [{ name: 'Smog', cents: '50' }] }
  expect(replacedBy({ values: typed, loaded: sent }, now)).toEqual({})
  expect(replacedBy({ values: typed, loaded: now }, sent)).toEqual({})
  expect(mergeKept(kept('a', 1, typed, sent), now)).toEqual({
    city: ' Mineral Wells',
    fees: typed.fees,
  })
  expect(replacedBy({ values: typed, loaded: sent }, { ...now, city: 'Theirs' })).toEqual({ city: 'Theirs' })
})
