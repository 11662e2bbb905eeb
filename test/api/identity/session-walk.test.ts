import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'
import { walkSessions } from '#test/walks/session-walk.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

test('on no walk does an ended session grant access, or an impersonation outlive its permission', async () => {
  const events = await walkSessions(forecourt, { walks: 6, mostSteps: 24 })
  // Walks without these events would prove nothing.
  expect(events).toMatchObject({
    impersonate: expect.any(Number),
    revert: expect.any(Number),
    verified: expect.any(Number),
    password: expect.any(Number),
    unverified: expect.any(Number),
  })
}, 300_000)
