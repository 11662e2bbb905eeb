import { expect, test } from 'vitest'
import { testApp } from '#test/app.ts'
import { walkSessions } from '#test/walks/session-walk.ts'

test('on none of 1,000 walks does an ended session grant access, or an impersonation outlive its permission', async () => {
  const forecourt = await testApp()
  try {
    const seen = await walkSessions(forecourt, { walks: 1_000, mostSteps: 30 })
    const often = Object.entries(seen).filter(([, times]) => times >= 5)
    expect(often.map(([what]) => what).toSorted()).toEqual(
      [
        'password',
        'revert',
        'right lost',
        'impersonate',
        'time over',
        'trusted',
        'unverified',
        'verified',
      ].toSorted(),
    )
  } finally {
    await forecourt.close()
  }
})
