import { expect, test } from 'vitest'
import { testApp } from '#test/app.ts'
import { walkSessions } from '#test/session-walk.ts'

test('on none of 1,000 walks does a session that has ended let anybody in again', async () => {
  const forecourt = await testApp()
  try {
    await expect(walkSessions(forecourt, { walks: 1_000, mostSteps: 30 })).resolves.toBeUndefined()
  } finally {
    await forecourt.close()
  }
})
