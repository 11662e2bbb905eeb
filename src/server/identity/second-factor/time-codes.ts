import { generateSecret, generateURI, verify } from 'otplib'

const PERIOD_SECONDS = 30

/** A new secret of 160 bits, in Base32. */
export const newTimeSecret = (): string => generateSecret()

/** What an authenticator app reads from a QR code. */
export function timeSecretUri(of: { secret: string; userName: string; title: string }): string {
  return generateURI({ issuer: of.title, label: of.userName, secret: of.secret })
}

/**
 * The time step (RFC 6238, 30 s) whose code was given: the one at `now` or one beside it, for clocks that differ; null
 * when it is none of these.
 * @param now in milliseconds.
 */
export async function findTimeStep(secret: string, given: string, now: number): Promise<number | null> {
  if (!/^\d{6}$/.test(given)) return null
  const found = await verify({
    secret,
    token: given,
    epoch: Math.floor(now / 1000),
    epochTolerance: PERIOD_SECONDS,
  })
  return found.valid && 'timeStep' in found ? found.timeStep : null
}
