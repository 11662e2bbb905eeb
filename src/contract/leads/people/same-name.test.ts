import { expect, test } from 'vitest'
import { isPlaceholderEmail, isPlaceholderPhone } from './placeholders.ts'
import { isSameName } from './same-name.ts'

test.each([
  ['Marcus Bell', 'marcus bell'],
  ['José García', 'Jose Garcia'],
  ['Bell, Marcus', 'Marcus Bell'],
  ['Marcus', 'Marcus Bell'],
  ['Marcus James Bell', 'Marcus Bell'],
  ['Mr. Marcus Bell', 'Marcus Bell'],
  ['Sean O’Brien', "Sean O'Brien"],
  ['John Bell Jr.', 'John Bell, Jr'],
])('%s is %s', (one, other) => {
  expect([isSameName(one, other), isSameName(other, one)]).toEqual([true, true])
})

test.each([
  ['Mark Hall', 'Mary Hall'],
  ['M. Bell', 'Marcus Bell'],
  ['J Park', 'Jin Park'],
  ['Jean Roy', 'Joan Roy'],
  ['Olivia Brien', "Sean O'Brien"],
  ['Bell', 'Marcus Bell'],
  ['James Bell', 'Marcus James Bell'],
  ['John Bell', 'John Bell Jr.'],
  ['N/A', 'N/A'],
  ['Internet Lead', 'Internet Lead'],
  ['', 'Marcus Bell'],
  [null, null],
])('%s is not surely %s', (one, other) => {
  expect([isSameName(one, other), isSameName(other, one)]).toEqual([false, false])
})

test.each([
  'test@mail.example',
  'test1@mail.example',
  'noreply@portal.example',
  'no-reply@portal.example',
  'donotreply+12@portal.example',
  'leads@portal.example',
  'noemail@mail.example',
  'na@na.example',
  'n/a',
  'aaa@aaa.example',
])('%s is nobody’s address', (email) => {
  expect(isPlaceholderEmail(email)).toBe(true)
})

test.each(['nora.test@mail.example', 'tess@mail.example', 'nadia@mail.example', 'al@mail.example'])(
  '%s may be someone’s address',
  (email) => {
    expect(isPlaceholderEmail(email)).toBe(false)
  },
)

test.each([
  '000-000-0000',
  '555-555-5555',
  '(916) 555-5555',
  '+10000000000',
  '123-456-7890',
  '987 654 3210',
  '9999999999',
  'N/A',
  '0',
])('%s is nobody’s number', (phone) => {
  expect(isPlaceholderPhone(phone)).toBe(true)
})

test.each(['(916) 555-0142', '+49 30 901820', '916-555-5556'])('%s may be someone’s number', (phone) => {
  expect(isPlaceholderPhone(phone)).toBe(false)
})
