import { expect, test } from 'vitest'
import { refreshDue, serverAhead } from './clock.ts'
import { makeToken } from './token.fixture.ts'

const serverNow = 2_000_000_000
const accessToken = makeToken({ exp: serverNow + 1800 })

test('refreshes 60 seconds before the token expires', () => {
  const token = { accessToken, expiresIn: 1800, storedAt: serverNow * 1000 }
  expect(refreshDue(token) - token.storedAt).toBe(1_740_000)
})

test('refreshes at the same time even if the browser clock is hours off', () => {
  const token = { accessToken, expiresIn: 1800, storedAt: (serverNow - 7200) * 1000 }
  expect(serverAhead(token)).toBe(7_200_000)
  expect(refreshDue(token) - token.storedAt).toBe(1_740_000)
})

test('refreshes a one-minute token halfway through its life, not immediately', () => {
  const short = { accessToken: makeToken({ exp: serverNow + 60 }), expiresIn: 60, storedAt: serverNow * 1000 }
  expect(refreshDue(short) - short.storedAt).toBe(30_000)
})
