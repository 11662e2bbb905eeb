import { generate } from 'otplib'
import { clock } from '#server/clock.ts'
import { DEMO_AUTHENTICATOR } from '../../../demo/demo-authenticator.ts'

/**
 * What an authenticator app shows so many steps of 30 s from now. Of two in a row the second is one step ahead: one step
 * behind would be too old as soon as the next step begins.
 */
export function timeCode({
  secret = DEMO_AUTHENTICATOR.secret,
  steps = 0,
}: { secret?: string; steps?: number } = {}): Promise<string> {
  return generate({ secret, epoch: Math.floor(clock.now() / 1000) + steps * 30 })
}
