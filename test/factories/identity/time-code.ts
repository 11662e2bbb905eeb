import { generate } from 'otplib'
import { clock } from '#server/clock.ts'
import { DEMO_AUTHENTICATOR } from '../../../demo/demo-authenticator.ts'

/**
 * The code an authenticator app shows `steps` steps of 30 s from now. For two codes in a row, use one step ahead for
 * the second: one step behind would expire as soon as the next step begins.
 */
export function timeCode({
  secret = DEMO_AUTHENTICATOR.secret,
  steps = 0,
}: { secret?: string; steps?: number } = {}): Promise<string> {
  return generate({ secret, epoch: Math.floor(clock.now() / 1000) + steps * 30 })
}
