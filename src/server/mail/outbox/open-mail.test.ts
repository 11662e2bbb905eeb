import { expect, test } from 'vitest'
import { coverSecrets } from './open-mail.ts'

test('what stands behind the # of a link is covered, and nothing else', () => {
  const text = 'Set it here:\n\nhttps://cars.example.com:8080/auth/reset-password#aB-_9\n\nYou are #1.'
  expect(coverSecrets(text)).toBe(
    `Set it here:\n\nhttps://cars.example.com:8080/auth/reset-password#${'\u2022'.repeat(12)}\n\nYou are #1.`,
  )
})

test('a code of six digits is covered, and other numbers are not', () => {
  expect(coverSecrets('Your code:\n\n048215\n\nuntil 21 November 2026, 14:42 UTC, tel. +1 916 5550140')).toBe(
    `Your code:\n\n${'\u2022'.repeat(12)}\n\nuntil 21 November 2026, 14:42 UTC, tel. +1 916 5550140`,
  )
})
