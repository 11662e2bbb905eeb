import { expect, test } from 'vitest'
import { buyerTextFaults, publicDescription, withoutAmounts } from './public-description.ts'

test.each([
  ['One owner. New tires.', 'One owner. New tires.', []],
  ['One owner. Only $9,999 today! New tires.', 'One owner. New tires.', ['Only $9,999 today!']],
  [
    'One owner.\n- $2,000 option package\n- 41,000 miles',
    'One owner.\n- 41,000 miles',
    ['- $2,000 option package'],
  ],
  ['MSRP of wheels $1,200', null, ['MSRP of wheels $1,200']],
  ['One owner. Only $\n9,999 today', null, ['One owner. Only $\n9,999 today']],
])('buyers see “%s” without the sentences that name an amount', (description, text, leftOut) => {
  expect(publicDescription(description)).toEqual({ text, leftOut })
  expect(Object.keys(buyerTextFaults({ description }))).toHaveLength(leftOut.length === 0 ? 0 : 1)
})

test('a vehicle may have no description', () => {
  expect(publicDescription(null)).toEqual({ text: null, leftOut: [] })
  expect(buyerTextFaults({ description: null })).toEqual({})
})

test('no text of a vehicle that buyers read names an amount, and ordinary ones do not', () => {
  const typed = { trim: 'XL now $9,999', engine: '3.5L, only $9,999', certification: 'Gold, $299' }
  for (const trim of ['Was 12,500, now 9,999', 'Sale price: 9,999', 'Desde 9,999'])
    expect(Object.keys(buyerTextFaults({ trim }))).toEqual(['trim'])
  expect(buyerTextFaults({ trim: 'Value 7008', body: 'Value 7008' })).toEqual({})
  const options = ['Tow package', 'Only $9,999 today']
  const faults = buyerTextFaults({ ...typed, options, photos: [{ alt: 'Front' }, { alt: 'Only $9,999' }] })
  expect(Object.keys(faults)).toEqual(['trim', 'engine', 'certification', 'options', 'photos.1.alt'])
  expect(withoutAmounts(options)).toEqual(['Tow package'])
  const trims = [
    '2500 Big Horn',
    'XLT 302A',
    '1500 LT Crew',
    'SE 2.0T',
    'Lariat 501A, 3.31 axle',
    'i4 eDrive40',
  ]
  const engines = ['3.5L V6 24V 400 hp', '5.0 l 32V, 10,000 lb towing', '2.3L EcoBoost I4']
  for (const trim of trims) expect(buyerTextFaults({ trim, options: [trim] })).toEqual({})
  for (const engine of engines) expect(buyerTextFaults({ engine })).toEqual({})
})
