import { expect, test } from 'vitest'
import { coverLinks } from './open-mail.ts'

test('what stands behind the # of a link is covered, and nothing else', () => {
  const text = 'Set it here:\n\nhttps://cars.example.com:8080/auth/reset-password#aB-_9\n\nYou are #1.'
  expect(coverLinks(text)).toBe(
    `Set it here:\n\nhttps://cars.example.com:8080/auth/reset-password#${'\u2022'.repeat(12)}\n\nYou are #1.`,
  )
})
