import { expect, test } from 'vitest'
import type { CustomerDetails } from '#contract/customers/details/details.ts'
import { checkDetails, showDetail, toDetailsInput, toDetailsValues } from './details-form.ts'

const details: CustomerDetails = {
  id: '1',
  name: 'Northgate Motor Group',
  legalName: null,
  website: null,
  phone: null,
  timeZone: 'America/Los_Angeles',
  currency: 'USD',
  distanceUnit: 'mi',
  priceLaw: 'us-ca',
  makes: ['Ford'],
  contacts: [{ name: 'Dana Whitfield', role: null, email: 'dana@northgate.example', phone: null }],
  fees: [{ name: 'Document fee', cents: 8500, kind: 'dealer' }],
  disclaimers: [],
  customFields: [],
  domains: [],
  organizations: 2,
  people: 5,
  lots: 5,
  lock: null,
  version: 3,
  updatedAt: '2026-11-14T10:00:00Z',
  updatedBy: null,
}

test('details survive the way through the form, fees in cents', () => {
  const values = toDetailsValues(details)
  expect(checkDetails(values)).toEqual({})
  expect(values.fees).toEqual([{ name: 'Document fee', cents: '85.00', kind: 'dealer' }])
  expect(toDetailsInput(values)).toMatchObject({ fees: details.fees, legalName: '' })
})

test('each row of a list names its own fields', () => {
  const values = toDetailsValues(details)
  expect(
    checkDetails({
      ...values,
      website: 'northgate',
      fees: [{ name: '', cents: 'free', kind: 'dealer' }],
      contacts: [{ name: 'A', role: '', email: 'nobody', phone: '' }],
      disclaimers: [{ name: 'Price', text: '' }],
    }),
  ).toEqual({
    website: 'This is not a web address. It begins with https://',
    'fees.0.name': 'Name is required.',
    'fees.0.cents': 'Amount must be a number.',
    'contacts.0.email': 'This is not an e-mail address.',
    'disclaimers.0.text': 'Text is required.',
  })
})

test('a comparison shows lists as words', () => {
  const values = toDetailsValues(details)
  const shown = ['fees', 'contacts', 'disclaimers', 'priceLaw', 'makes', 'phone']
  expect(shown.map((name) => showDetail(name, values))).toEqual([
    'Document fee 85.00 (dealer)',
    'Dana Whitfield (dana@northgate.example)',
    'None',
    'California',
    'Ford',
    'None',
  ])
})
