import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A row that outside systems reach by a URL with a secret. */
type Row = { customerId: string; id: string }

/** A new token for the URL of a row, and the hash that is stored of it. */
export function newUrlToken({ customerId, id }: Row): { token: string; hash: string } {
  const token = `${customerId}-${id}-${randomBytes(32).toString('base64url')}`
  return { token, hash: hashOf(token) }
}

/** The row a token claims to belong to; `matchesUrlToken` verifies it. */
export function readUrlToken(token: string): Row | null {
  const [, customerId, id] = /^([1-9]\d{0,17})-([1-9]\d{0,17})-[\w-]{43}$/.exec(token) ?? []
  return customerId === undefined || id === undefined ? null : { customerId, id }
}

export function matchesUrlToken(token: string, hash: string | null): boolean {
  return hash !== null && timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(hash))
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
