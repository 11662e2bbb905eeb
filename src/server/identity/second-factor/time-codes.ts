import { generateSecret, generateURI, verify } from 'otplib'

const PERIOD_SECONDS = 30

/** A new secret of 160 bits, in Base32. */
export const newTimeSecret = (): string => generateSecret()

/** The content of the QR code for an authenticator app. */
export function timeSecretUri(of: { secret: string; userName: string; title: string }): string {
  return generateURI({ issuer: of.title, label: of.userName, secret: of.secret })
}

/**
 * The time step (RFC 6238, 30 s) of a code: the current one or an adjacent one, to allow for clock
 * differences; null if it matches none.
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
