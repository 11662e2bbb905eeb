import { expect, test } from 'vitest'
import type { Country } from '../definition.ts'
import { readEmail, readPhone, readPostalCode, readUrl, readVin } from './formats.ts'

test.for<[string, Country | undefined, string | null]>([
  ['(614) 555-0134', 'US', '+16145550134'],
  ['1-614-555-0134', 'US', '+16145550134'],
  ['614.555.0134', 'CA', '+16145550134'],
  ['(614) 555-0134', undefined, '(614) 555-0134'],
  ['614  555 0134', undefined, '614 555 0134'],
  ['+1 614 555 0134', undefined, '+16145550134'],
  ['+44 (0)20 7946 0018', 'US', '+442079460018'],
  ['020 7946 0018', 'GB', '+442079460018'],
  ['0151 23456789', 'DE', '+4915123456789'],
  ['55 1234 5678', 'MX', '+525512345678'],
  ['600 123 456', 'ES', '+34600123456'],
  ['02 1234 5678', 'IT', '+390212345678'],
  ['0034 600 123 456', 'DE', '+34600123456'],
  ['011 44 20 7946 0018', 'US', '+442079460018'],
  ['34 600 123 456', 'ES', '34 600 123 456'],
  // A number of another country, or one without its area code, stays as entered.
  ['555-0134', 'US', '555-0134'],
  ['0151 23456789', 'US', '0151 23456789'],
  ['23456789', 'DE', '23456789'],
  ['(614) 555-0134 ext. 5', 'US', '(614) 555-0134 ext. 5'],
  ['+1 114 555 0134', undefined, null],
  ['+0 614 555 0134', undefined, null],
  ['12345', 'US', null],
  ['1234567890123456', undefined, null],
  ['call me', 'US', null],
  ['614-555-CARS', 'US', null],
])('the phone number %s in %s', ([text, country, expected]) => {
  expect(readPhone(text, country)).toBe(expected)
})

test('a stored phone number is stored again unchanged', () => {
  for (const stored of ['+16145550134', '+442079460018', '614 555 0134', '(614) 555-0134 ext. 5']) {
    expect(readPhone(stored, undefined)).toBe(stored)
  }
})

test.for<[string, string | null]>([
  ['Ann.Lee@Example.COM', 'Ann.Lee@example.com'],
  ['ann@example', null],
  ['ann example.com', null],
  ['@example.com', null],
  [`${'a'.repeat(250)}@b.co`, null],
])('the email address %s', ([text, expected]) => {
  expect(readEmail(text)).toBe(expected)
})

test.for<[string, string | null]>([
  ['www.Example.com', 'https://www.example.com'],
  ['HTTP://Example.com:8080/A?b=C#d', 'http://example.com:8080/A?b=C#d'],
  ['example.com/a(1),b', 'https://example.com/a(1),b'],
  ['javascript:alert(1)', null],
  ['ftp://example.com', null],
  ['https://user:secret@example.com', null],
  ['https://example.com/<script>', null],
  ['localhost', null],
  ['example.com/a b', null],
])('the web address %s', ([text, expected]) => {
  expect(readUrl(text)).toBe(expected)
})

test.for<[string, string | null]>([
  ['1hgcm82633a004352', '1HGCM82633A004352'],
  ['1HGCM-82633-A004352', '1HGCM82633A004352'],
  ['1HGCM82633A00435', null],
  ['1HGCM82633A0O4352', null],
])('the VIN %s', ([text, expected]) => {
  expect(readVin(text)).toBe(expected)
})

test.for<[string, Country | undefined, string | null]>([
  ['43215', 'US', '43215'],
  ['432151234', 'US', '43215-1234'],
  ['k1a0b1', 'CA', 'K1A 0B1'],
  ['D1A 0B1', 'CA', null],
  ['sw1a1aa', 'GB', 'SW1A 1AA'],
  ['1012ab', 'NL', '1012 AB'],
  ['4321', 'US', null],
  ['k1a 0b1', 'US', null],
  ['k1a 0b1', undefined, 'K1A 0B1'],
  ['?', undefined, null],
])('the postal code %s in %s', ([text, country, expected]) => {
  expect(readPostalCode(text, country)).toBe(expected)
})
