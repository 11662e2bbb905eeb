import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import type {
  InboundMessage,
  inboundLeads,
  ReceivedMessage,
} from '#contract/leads/inbound/inbound-addresses.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { Failure, notFound, tooMany } from '#server/http/failure.ts'
import type { RawBody } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { matchesUrlToken, readUrlToken } from '#server/http/url-token.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { makeAdfThread } from '../adf/adf-thread.ts'
import type { InboundTask, ReadInbound } from '../adf/adf-worker.ts'
import { ADF_BOUNDS } from '../adf/clean-adf.ts'
import { type Arrived, type ReceivingAddress, storeInbound } from './store-inbound.ts'

/** The most messages an address receives per hour; more are answered with 429, and their senders try again. */
const MAX_PER_HOUR = 2_000
/** The most requests with an unknown token per hour from one network address. */
const MAX_UNKNOWN_PER_HOUR = 60
/** In bytes. Postmark accepts emails of 35 MB; their attachments aren't kept. */
const MAX_EMAIL_BYTES = 25_000_000
/** In bytes: what is kept of a message that is too large. */
const KEPT_BYTES = 64_000

type Counted = 'leads sent to an address' | 'unknown inbound addresses'

export type InboundOptions = {
  pool: pg.Pool
  /** Counts within an hour. */
  count: (what: Counted, key: string) => Promise<{ count: number; seconds: number }>
}

type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/**
 * Receives leads at the URLs of an address, without sign-in. The token is checked before the body is read. Every body is read
 * in a thread, stored once, and answered with its leads.
 */
export function inboundLeadHandlers(parts: InboundOptions): Handlers<typeof inboundLeads> {
  const thread = makeAdfThread()

  async function receive(
    kind: InboundTask['kind'],
    { token, ip, body }: { token: string; ip: string; body: () => Promise<RawBody> },
  ): Promise<ReceivedMessage> {
    const { address, within } = await findAddress(parts, { token, ip })
    const { type, stream } = await body()
    const mostBytes = kind === 'adf' ? ADF_BOUNDS.bytes : MAX_EMAIL_BYTES
    const { bytes, isWhole } = await readBytes(stream, mostBytes)
    const contentHash = createHash('sha256').update(bytes).digest('hex')
    const sent = { contentHash, contentType: type.slice(0, 200) }
    if (!isWhole) {
      const failure = `The message is larger than the limit of ${mostBytes / 1_000_000} MB. Only its beginning was kept.`
      const raw = storable(bytes.subarray(0, KEPT_BYTES))
      await within((db) => storeInbound(db, address, { ...sent, ...NOTHING, raw, failure }))
      throw new Failure(413, `The message is larger than the limit of ${mostBytes / 1_000_000} MB.`)
    }
    const raw = storable(bytes.subarray(0, ADF_BOUNDS.bytes))
    const read = await thread.read(address.customerId, { kind, bytes })
    return within((db) => storeInbound(db, address, { ...sent, ...arrivedAs(read, raw) }))
  }

  return {
    adf: ({ input: { token }, visit: { ip }, body }) => receive('adf', { token, ip, body }),
    mail: ({ input: { token }, visit: { ip }, body }) => receive('mail', { token, ip, body }),
  }
}

const NOTHING = { mail: null, adf: null, encoding: null, failure: null } as const

type Content = Omit<Arrived, 'contentHash' | 'contentType'>

function arrivedAs(read: ReadInbound, raw: string): Content {
  if (read.kind === 'failed') return { ...NOTHING, raw, failure: read.message }
  if (read.kind === 'mail') {
    const { mail } = read
    return { ...NOTHING, raw: mail.raw, mail, adf: mail.adf, encoding: mail.adf?.encoding ?? null }
  }
  return { ...NOTHING, raw: read.adf.text, adf: read.adf, encoding: read.adf.encoding }
}

/**
 * The address of a token.
 * @throws Failure 404 if anything about the token is wrong, always the same one; 429 over the rate limits
 */
async function findAddress(
  { pool, count }: InboundOptions,
  { token, ip }: { token: string; ip: string },
): Promise<{ address: ReceivingAddress; within: Within }> {
  const of = readUrlToken(token)
  const within: Within = (work) =>
    inTenant(pool, systemScope(of?.customerId ?? '0', 'inboundLeads.adf'), work)
  const found = of === null ? undefined : await within((db) => readAddress(db, of.id))
  if (found === undefined || !matchesUrlToken(token, found.tokenHash)) {
    const unknown = await count('unknown inbound addresses', ip)
    if (unknown.count > MAX_UNKNOWN_PER_HOUR)
      throw tooMany('Too many requests to unknown addresses. Try again later.', unknown.seconds)
    throw notFound('Inbound address')
  }
  const { tokenHash: _hash, ...address } = found
  const sent = await count('leads sent to an address', `${address.customerId}/${address.id}`)
  if (sent.count > MAX_PER_HOUR)
    throw tooMany(
      `More than ${MAX_PER_HOUR} messages were sent within an hour. Try again later.`,
      sent.seconds,
    )
  return { address, within }
}

async function readAddress(
  db: Database,
  id: string,
): Promise<(ReceivingAddress & { tokenHash: string | null }) | undefined> {
  return db
    .selectFrom('inboundAddresses as a')
    .innerJoin('customers as c', 'c.id', 'a.customerId')
    .select([
      'a.id',
      'a.customerId',
      'a.organizationId',
      'a.sourceName',
      'a.lotId',
      'a.tokenHash',
    ])
    .select(sql<'mi' | 'km'>`c.distance_unit`.as('distanceUnit'))
    .where('a.id', '=', id)
    .where('c.status', '=', 'active')
    .executeTakeFirst()
}

/** Up to `most` bytes, and whether that is all. */
async function readBytes(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isWhole: boolean }> {
  const parts: Uint8Array[] = []
  let size = 0
  let isWhole = true
  for await (const part of stream) {
    size += part.length
    isWhole = size <= most
    if (!isWhole) break
    parts.push(part)
  }
  return { bytes: new Uint8Array(Buffer.concat(parts)), isWhole }
}

/** A text of any bytes. The database stores no zero characters. */
const storable = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '')
