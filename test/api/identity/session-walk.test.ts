import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'
import { walkSessions } from '#test/walks/session-walk.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

test('on no walk does a session that has ended let anybody in again, nor a skin outlive its right', async () => {
  const seen = await walkSessions(forecourt, { walks: 6, mostSteps: 24 })
  // A walk that never got there would prove nothing.
  expect(seen).toMatchObject({
    skin: expect.any(Number),
    revert: expect.any(Number),
    verified: expect.any(Number),
    password: expect.any(Number),
    unverified: expect.any(Number),
  })
}, 300_000)
