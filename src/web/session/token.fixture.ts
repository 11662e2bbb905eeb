import type { Claims } from '#contract/identity/sessions/session.ts'

const member: Claims = {
  exp: 4_000_000_000,
  iat: 1,
  sid: 's1',
  gen: 1,
  isVerified: 'true',
  customerId: '1',
  userId: '10',
  userName: 'Dana Whitfield',
  impersonateUserId: '10',
  impersonateUserName: 'Dana Whitfield',
  impersonateUserTypeId: '1',
  organizationId: '7',
  organizationName: 'Northgate Ford',
}

/** An unsigned token with the claims of a member, for tests of code that only reads claims. */
export function makeToken(claims: Partial<Claims> = {}): string {
  const payload = encode(JSON.stringify({ ...member, ...claims }))
  return `head.${payload}.signature`
}

function encode(text: string): string {
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(text)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
