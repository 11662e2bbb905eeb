import { expect, test } from 'vitest'
import { maskSecrets } from './open-mail.ts'

test('masks only what follows the # of a link', () => {
  const text = 'Set it here:\n\nhttps://cars.example.com:8080/auth/reset-password#aB-_9\n\nYou are #1.'
  expect(maskSecrets(text)).toBe(
    `Set it here:\n\nhttps://cars.example.com:8080/auth/reset-password#${'\u2022'.repeat(12)}\n\nYou are #1.`,
  )
})

test('masks six-digit codes but no other numbers', () => {
  expect(maskSecrets('Your code:\n\n048215\n\nuntil 21 November 2026, 14:42 UTC, tel. +1 916 5550140')).toBe(
    `Your code:\n\n${'\u2022'.repeat(12)}\n\nuntil 21 November 2026, 14:42 UTC, tel. +1 916 5550140`,
  )
})
