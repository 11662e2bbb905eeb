import { expect, test } from 'vitest'
import { evidenceText, joinedBecause } from './event-text.ts'

const MARY = { name: 'Mary Hall', phone: '(916) 555-0142' }

test('what agrees comes first, with a phone number as people write it, and what differs follows', () => {
  const text = evidenceText({
    ...MARY,
    evidence: [{ kind: 'phone', value: '+19165550142' }],
    differs: [
      { kind: 'name', own: 'Mark Hall', other: 'Mary Hall' },
      { kind: 'email', own: 'mark@mail.example', other: 'mary@mail.example' },
    ],
  })
  expect(text).toBe('Same phone (916) 555-0142, other name, other email mary@mail.example')
})

test('a name counts with what supports it', () => {
  const evidence = [{ kind: 'postalCode' as const, value: '95814' }]
  expect(evidenceText({ ...MARY, evidence, differs: [] })).toBe('Same name and ZIP code 95814')
})

test('an automatic join says why', () => {
  expect(joinedBecause(['email', 'phone', 'name'])).toBe('Known buyer: same email, phone and name')
  expect(joinedBecause(['email'])).toBe('Known buyer: same email')
})
