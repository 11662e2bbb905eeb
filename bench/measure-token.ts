import { createHash } from 'node:crypto'
import { can, Func, Opr } from '#contract/permissions.ts'
import { heldRights } from '#server/identity/user-types/permission-cache.ts'
import { makeTokens } from '#server/identity/credentials/tokens.ts'
import { readSecrets } from '#server/secrets.ts'
import type { Row } from './run.ts'

const ROUNDS = 200_000

/** The cost of authenticating a request without reading the session row: the token and one permission. */
export async function measureToken(): Promise<Row> {
  const tokens = makeTokens(readSecrets('a-secret-for-measuring'))
  const now = Date.now() / 1000
  const token = await tokens.sign({
    iat: Math.floor(now),
    exp: Math.floor(now) + 1800,
    sid: crypto.randomUUID(),
    gen: 1,
    isVerified: 'true',
    customerId: '2',
    userId: '3',
    userName: 'northgate.dealer',
    impersonateUserId: '3',
    impersonateUserName: 'northgate.dealer',
    impersonateUserTypeId: '5',
    organizationId: '2',
    organizationName: 'Northgate Ford',
  })
  const permissions = Object.values(Func).map(({ func }) => ({ func, opr: Opr.list }))
  const { may } = heldRights({ isSuper: false, permissions }, { isPlatform: false })
  const wanted = can(Func.lots, Opr.list)
  if ((await tokens.verify(token, now)) === null || !may(wanted)) throw new Error('The token must be valid.')

  let startedAt = performance.now()
  for (let n = 0; n < ROUNDS; n += 1) if ((await tokens.verify(token, now)) !== null) may(wanted)
  const ours = ((performance.now() - startedAt) / ROUNDS) * 1000
  startedAt = performance.now()
  for (let n = 0; n < ROUNDS; n += 1) createHash('sha256').update(token).digest('base64url')
  const bare = ((performance.now() - startedAt) / ROUNDS) * 1000
  return {
    what: 'token + permission of one request (session row not counted)',
    measured: `${ours.toFixed(2)} µs`,
    comparison: `one SHA-256 of the token ${bare.toFixed(2)} µs; limit 10 µs`,
    ratio: (ours / bare).toFixed(2),
  }
}
