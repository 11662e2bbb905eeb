import { expect, test } from 'vitest'
import { phoneCountry, phoneE164 } from './phone-number.ts'

test.each([
  ['(916) 555-0178', 'US', '+19165550178'],
  ['916.555.0178 ext. 12', 'us', '+19165550178'],
  ['+49 30 901820', 'US', '+4930901820'],
  ['030 901820', 'DE', '+4930901820'],
  ['555-0178', 'US', null],
  ['call me', 'US', null],
  ['', 'US', null],
  ['(916) 555-0178', 'no country', '+19165550178'],
])('%s in %s is %s', (phone, country, expected) => {
  expect(phoneE164(phone, country)).toBe(expected)
})

test('the country is the one of the person, otherwise of the currency', () => {
  expect([phoneCountry('MX', 'USD'), phoneCountry(null, 'CAD'), phoneCountry(null, 'CHF')]).toEqual([
    'MX',
    'CA',
    'US',
  ])
})
