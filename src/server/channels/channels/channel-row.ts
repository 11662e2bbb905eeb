import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import type { Remote } from '#server/outside/transfer/remote.ts'
import type { Secrets } from '#server/secrets.ts'
import { USUAL_PORTS } from '#contract/channels/channels/channel-schema.ts'

/** The delivery columns of a channel. */
export type ChannelServer = {
  customerId: string
  id: string
  destination: 'pull' | 'sftp' | 'ftps' | 'https'
  host: string | null
  port: number | null
  remotePath: string | null
  userName: string | null
  secretSealed: string | null
}

/**
 * Binds a sealed secret to its server and user name. Changing the channel's server therefore can't send the saved
 * password to another server.
 */
export function secretContext(place: {
  customerId: string
  destination: string
  host: string | null
  port: number | string | null
  userName: string | null
}): string {
  const { customerId, destination, host, port, userName } = place
  return `channels.secret_sealed/${customerId}/${destination}/${host}:${port}/${userName}`
}

/** The sealed column, for rotating the installation's secret. */
export const sealedChannels: SealedColumn = {
  table: 'public.channels',
  column: 'secret_sealed',
  contextColumns: ['customer_id', 'destination', 'host', 'port', 'user_name'],
  context: (row) =>
    secretContext({
      customerId: row.customer_id ?? '',
      destination: row.destination ?? '',
      host: row.host ?? null,
      port: row.port ?? null,
      userName: row.user_name ?? null,
    }),
}

/** The server that a pinned host key belongs to. */
export function serverOf({
  host,
  port,
  destination,
}: Pick<ChannelServer, 'host' | 'port' | 'destination'>): string {
  return `${host}:${port ?? USUAL_PORTS[destination]}`
}

/**
 * Where to send a channel's file; null if the receiver downloads it.
 * @throws Error with a message for the user if the saved password can't be decrypted.
 */
export function remoteOf(
  channel: ChannelServer,
  { secrets, isGuarded, hostKey }: { secrets: Secrets; isGuarded: boolean; hostKey: string | null },
): Remote | null {
  const { destination, host, port, remotePath, userName, secretSealed } = channel
  if (destination === 'pull' || host === null || remotePath === null) return null
  let secret: string | null = null
  try {
    secret = secretSealed === null ? null : secrets.open(secretSealed, secretContext(channel))
  } catch {
    throw new Error("This channel's password or key can't be decrypted. Enter it again.")
  }
  return {
    protocol: destination,
    host,
    port: port ?? USUAL_PORTS[destination] ?? 0,
    path: remotePath,
    user: userName,
    secret,
    hostKey,
    isGuarded,
  }
}

const FILES = 'channel files'
const PICTURES = 'channel pictures'

/** The unguessable key in a channel's download link. It is derived, not stored. */
export function fileKey(
  secrets: Secrets,
  { customerId, id, addressNumber }: { customerId: string; id: string; addressNumber: number },
): string {
  return `${customerId}-${id}-${sign(secrets.deriveKey(FILES), customerId, id, String(addressNumber))}`
}

/** Parses the channel from a key; `opensFile` verifies the key. */
export function readFileKey(key: string): { customerId: string; id: string } | null {
  const [, customerId, id] = /^(\d{1,18})-(\d{1,18})-[\w-]{43}$/.exec(key) ?? []
  return customerId === undefined || id === undefined ? null : { customerId, id }
}

export function opensFile(
  secrets: Secrets,
  key: string,
  { customerId, id, addressNumber }: { customerId: string; id: string; addressNumber: number },
): boolean {
  const given = key.slice(-43)
  return secrets
    .deriveKeys(FILES)
    .some((own) => isSame(sign(own, customerId, id, String(addressNumber)), given))
}

/** The public key of a vehicle photo. It depends on the file path, so a different photo has a different key. */
export function pictureKey(
  secrets: Secrets,
  { customerId, vehicleId, place }: { customerId: string; vehicleId: string; place: string },
): string {
  const signature = sign(secrets.deriveKey(PICTURES), customerId, vehicleId, place)
  return `${customerId}-${vehicleId}-${signature}`
}

export function readPictureKey(key: string): { customerId: string; vehicleId: string } | null {
  const read = readFileKey(key)
  return read && { customerId: read.customerId, vehicleId: read.id }
}

export function opensPicture(
  secrets: Secrets,
  key: string,
  { customerId, vehicleId, place }: { customerId: string; vehicleId: string; place: string },
): boolean {
  const given = key.slice(-43)
  return secrets.deriveKeys(PICTURES).some((own) => isSame(sign(own, customerId, vehicleId, place), given))
}

function sign(key: Buffer, ...parts: string[]): string {
  return createHmac('sha256', key).update(parts.join('/')).digest('base64url')
}

function isSame(own: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(own), Buffer.from(given.padEnd(43).slice(0, 43)))
}
