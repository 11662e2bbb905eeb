import { expect, test } from 'vitest'
import { changesOf } from './audit-changes.ts'

const may = () => true

test('lists only the changed fields, with display names', () => {
  const before = { id: 7, customer_id: 1, version: 1, postal_code: '60601', price_cents: 100, tags: ['a'] }
  const after = { id: 7, customer_id: 1, version: 2, postal_code: '60602', price_cents: 2_050, tags: ['a'] }
  expect(changesOf({ table: 'lots', before, after, may })).toEqual([
    { field: 'postal code', before: '60601', after: '60602', isCovered: false },
    { field: 'price', before: '1.00', after: '20.50', isCovered: false },
  ])
})

test('lists every non-empty field of a new row', () => {
  const after = { name: 'Main', is_public: false, note: null, makes: [], contacts: [{ name: 'Ann' }] }
  expect(changesOf({ table: 'lots', before: null, after, may })).toEqual([
    { field: 'name', before: null, after: 'Main', isCovered: false },
    { field: 'public', before: null, after: 'No', isCovered: false },
    { field: 'contacts', before: null, after: 'name Ann', isCovered: false },
  ])
})

test('masks secrets', () => {
  const after = { password_sealed: '***' }
  expect(changesOf({ table: 'email_handlers', before: { password_sealed: null }, after, may })).toEqual([
    { field: 'password', before: null, after: '***', isCovered: true },
  ])
})

test('hides vehicle costs without permission', () => {
  const entry = {
    table: 'vehicles',
    before: { cost_cents: 1, invoice_cents: 1 },
    after: { cost_cents: 2, invoice_cents: 2 },
  }
  expect(changesOf({ ...entry, may })).toHaveLength(2)
  expect(changesOf({ ...entry, may: () => false })).toEqual([])
})

test('truncates long text', () => {
  const [change] = changesOf({ table: 'white_labels', before: null, after: { logo: 'x'.repeat(9_000) }, may })
  expect(change?.after).toHaveLength(2_001)
})
