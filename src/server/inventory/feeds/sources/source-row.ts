import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { SOURCE_PORTS } from '#contract/inventory/feeds/sources/feed-source-schema.ts'
import { type FeedSourceKind, isFetched } from '#contract/inventory/feeds/sources/feed-source-list.ts'
import { pathOn } from '#contract/inventory/feeds/sources/remote-server.ts'
import { clock } from '#server/clock.ts'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import type { Remote } from '#server/outside/transfer/remote.ts'
import type { Secrets } from '#server/secrets.ts'

/** A feed source as the table has it, as far as it is fetched. */
export type SourceServer = {
  customerId: string
  kind: FeedSourceKind
  host: string | null
  port: number | null
  remotePath: string | null
  userName: string | null
  secretSealed: string | null
}

/**
 * What a secret is sealed for: the very server and user it was given for. Whoever points the source elsewhere gets no
 * password sent there that they do not know themselves.
 */
export function secretContext(place: {
  customerId: string
  kind: string
  host: string | null
  port: number | string | null
  userName: string | null
}): string {
  const { customerId, kind, host, port, userName } = place
  return `feed_sources.secret_sealed/${customerId}/${kind}/${host}:${port}/${userName}`
}

/** Where the passwords and keys are, for a new secret. */
export const sealedFeedSources: SealedColumn = {
  table: 'public.feed_sources',
  column: 'secret_sealed',
  contextColumns: ['customer_id', 'kind', 'host', 'port', 'user_name'],
  context: (row) =>
    secretContext({
      customerId: row.customer_id ?? '',
      kind: row.kind ?? '',
      host: row.host ?? null,
      port: row.port ?? null,
      userName: row.user_name ?? null,
    }),
}

/** Which server a pinned key is of. */
export function serverOf({ kind, host, port }: Pick<SourceServer, 'kind' | 'host' | 'port'>): string {
  return `${host}:${port ?? SOURCE_PORTS[kind]}`
}

/**
 * Where the file of a source is fetched; null where it comes otherwise.
 * @throws Error with a sentence when the kept password does not open any more.
 */
export function remoteOf(
  source: SourceServer,
  {
    secrets,
    isGuarded,
    hostKey,
    zone,
  }: { secrets: Secrets; isGuarded: boolean; hostKey: string | null; zone: string },
): Remote | null {
  const { kind, host, port, remotePath, userName, secretSealed } = source
  if (!isFetched(kind) || host === null || remotePath === null) return null
  let secret: string | null = null
  try {
    secret = secretSealed === null ? null : secrets.open(secretSealed, secretContext(source))
  } catch {
    throw new Error('The password or key of this source cannot be opened. Give it anew.')
  }
  return {
    protocol: kind,
    host,
    port: port ?? SOURCE_PORTS[kind] ?? 0,
    path: pathOn(remotePath, { at: clock.date(), zone }),
    user: userName,
    secret,
    hostKey,
    isGuarded,
  }
}

/** The end of an address that files are sent to, and what is kept of it. */
export function newToken(of: { customerId: string; id: string }): { token: string; hash: string } {
  const token = `${of.customerId}-${of.id}-${randomBytes(32).toString('base64url')}`
  return { token, hash: hashOf(token) }
}

/** Which source a token may be of: whether it is, its hash says. */
export function readToken(token: string): { customerId: string; id: string } | null {
  const [, customerId, id] = /^([1-9]\d{0,17})-([1-9]\d{0,17})-[\w-]{43}$/.exec(token) ?? []
  return customerId === undefined || id === undefined ? null : { customerId, id }
}

export function opensSource(token: string, hash: string | null): boolean {
  return hash !== null && timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(hash))
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
