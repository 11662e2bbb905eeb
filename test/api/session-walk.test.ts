import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'
import { walkSessions } from '#test/session-walk.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

test('on no walk does a session that has ended let anybody in again, nor a generation get two successors', async () => {
  await expect(walkSessions(forecourt, { walks: 40, mostSteps: 24 })).resolves.toBeUndefined()
})
