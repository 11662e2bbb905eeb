import { SOURCE_PORTS } from '#contract/feeds/sources/feed-source-schema.ts'
import { type FeedSourceKind, isFetched } from '#contract/feeds/sources/feed-source-list.ts'
import { pathOn } from '#contract/remote-server.ts'
import { clock } from '#server/clock.ts'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import type { Remote } from '#server/outside/transfer/remote.ts'
import type { Secrets } from '#server/secrets.ts'

/** The columns of a feed source that are needed to fetch its file. */
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
 * The encryption context of a secret: the server and user it was entered for. Someone who points the source at another server
 * can't have a password they don't know sent there.
 */
export function secretContext(server: {
  customerId: string
  kind: string
  host: string | null
  port: number | string | null
  userName: string | null
}): string {
  const { customerId, kind, host, port, userName } = server
  return `feed_sources.secret_sealed/${customerId}/${kind}/${host}:${port}/${userName}`
}

/** The column to re-encrypt when the installation's secret changes. */
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

/** Identifies the server that a pinned host key belongs to. */
export function serverOf({ kind, host, port }: Pick<SourceServer, 'kind' | 'host' | 'port'>): string {
  return `${host}:${port ?? SOURCE_PORTS[kind]}`
}

/**
 * The remote file of a source; null if the source is not fetched.
 * @throws Error if the stored password can't be decrypted.
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
    throw new Error("The stored password or key of this source can't be decrypted. Enter it again.")
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
