import { describe, expect, test } from 'vitest'
import { columnParts, findColumnErrors } from './custom-columns.ts'
import type { PriceMeaning } from '#contract/pricing/totals/price-meanings.ts'

const PRICE = { name: 'Asking price', value: '{price}' }

function errorOf(meaning: PriceMeaning, ...columns: { name: string; value: string }[]): string | null {
  return Object.values(findColumnErrors(columns, 'csv', meaning))[0] ?? null
}

describe('prices in custom columns', () => {
  test('a price without fees is refused in a file whose price field means the total price', () => {
    const column = { name: 'Before fees', value: 'From {price_without_fees}' }
    expect(findColumnErrors([PRICE, column], 'csv', 'total')).toEqual({
      'columns.1.value': expect.stringContaining("this channel's price field means the total price"),
    })
    expect(errorOf('both', PRICE, column)).toBeNull()
    expect(errorOf('without-fees', PRICE, column)).toBeNull()
  })

  test.each(['price_without_fees', 'msrp'])('{%s} is refused as the only price of a file', (part) => {
    expect(errorOf('both', { name: 'Amount', value: `{${part}}` })).toContain('Add a column with {price}.')
  })

  test.each(['Price', 'asking_price', 'Sale Price', 'INTERNET-PRICE'])(
    'a column named %s does not have the MSRP',
    (name) => {
      const total = { name: 'Total', value: '{price}' }
      expect(errorOf('total', total, { name, value: '{msrp}' })).toContain('Use {price} in a column named')
      expect(errorOf('both', total, { name, value: '{price_without_fees}' })).toContain('Use {price}')
    },
  )

  test.each(['MSRP', 'MSRP price', 'Manufacturer price'])('a column named %s has the MSRP', (name) => {
    expect(errorOf('total', PRICE, { name, value: '{msrp}' })).toBeNull()
  })

  test('the screen offers only what the file may have', () => {
    for (const meaning of ['total', 'both', 'without-fees'] as const) {
      const standard = columnParts(meaning).map((name) => ({ name, value: `{${name}}` }))
      expect(findColumnErrors(standard, 'csv', meaning)).toEqual({})
    }
  })

  test('a file without prices is accepted', () => {
    expect(errorOf('total', { name: 'Stock', value: '{stock}' })).toBeNull()
  })
})
