import { expect, test } from 'vitest'
import { consentsInDocument } from './document-consents.ts'

const of = (name: string, value: string, at = 'customer') =>
  consentsInDocument({ more: [{ name, at, value }] }).map(({ kind, channels }) =>
    [kind, ...channels].join(' '),
  )

test.each([
  ['smsOptIn', 'Yes', 'given text'],
  ['sms_opt_in', 'true', 'given text'],
  ['email-opt-out', '1', 'revoked email'],
  ['DoNotCall', 'Y', 'revoked call'],
  ['do_not_contact', 'true', 'revoked email call text'],
  ['optin', 'yes', 'given email call'],
  ['consent', 'I agree to be called and emailed about this vehicle.', 'given email call'],
  ['tcpa_consent', 'true', 'given call'],
  ['OptOut', 'yes', 'revoked email call text'],
] as const)('%s: %s', (name, value, expected) => {
  expect(of(name, value)).toEqual([expected])
})

test.each([
  ['smsOptIn', 'No'],
  ['optout', 'false'],
  ['consent', '2026-11-01'],
  ['option', 'yes'],
  ['contactoption', 'yes'],
  ['consent', 'I do not agree to be contacted.'],
  ['notes', 'I do not consent to anything.'],
  ['optionname', 'Tow package with everything in it'],
] as const)('says nothing about consents: %s, %s', (name, value) => {
  expect(of(name, value)).toEqual([])
})

test('the name of the place above counts, such as <sms><optin>', () => {
  expect(of('optin', 'yes', 'customer/sms')).toEqual(['given text'])
})
