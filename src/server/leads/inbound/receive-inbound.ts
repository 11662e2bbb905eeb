import type pg from 'pg'
import type { inboundLeads, ReceivedMessage } from '#contract/leads/inbound/inbound-messages.ts'
import { type Database, inTenant } from '#server/database/tenant-transaction.ts'
import { explainViolation } from '#server/database/violations.ts'
import { Failure, notFound, tooMany } from '#server/http/failure.ts'
import type { RawBody } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { matchesUrlToken, readUrlToken } from '#server/http/url-token.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { makeRoom, receivePieces } from '#server/threads/receive-pieces.ts'
import type { AdfThread } from '../adf/adf-thread.ts'
import type { ReadInbound } from '../adf/adf-worker.ts'
import { ADF_BOUNDS } from '../adf/adf-bounds.ts'
import type { MailFile } from '../adf/mail-files.ts'
import type { InboundContent, ReceivingAddress } from './inbound-outcome.ts'
import { type FileKeeping, storeFiles } from './keep-files.ts'
import { readReceivingAddress } from './receiving-address.ts'
import { type Arrived, storeInbound } from './store-inbound.ts'

/** The most messages an address receives per hour; more are answered with 429, and their senders try again. */
const MAX_PER_HOUR = 2_000
/** In bytes. Postmark accepts emails of 35 MB; base64 makes them a third larger. */
const MAX_EMAIL_BYTES = 50_000_000
/** In bytes: what is kept of a message that is too large. */
const KEPT_BYTES = 64_000

type Counted = 'leads sent to an address'

export type InboundOptions = {
  pool: pg.Pool
  files: FileKeeping
  /** Counts within an hour. */
  count: (what: Counted, key: string) => Promise<{ count: number; seconds: number }>
}

type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type InboundRequest = { token: string; isTest: boolean; body: () => Promise<RawBody> }

/**
 * Receives leads at the URLs of an address, without sign-in. The token is checked before the body is read. Every body is read
 * in a thread, stored once, and answered with its leads.
 */
export function inboundLeadHandlers(parts: InboundOptions, thread: AdfThread): Handlers<typeof inboundLeads> {
  const room = makeRoom()

  async function receive(
    { token, isTest, body }: InboundRequest,
    mostBytes: number,
  ): Promise<{ received: ReceivedMessage; isWhole: boolean }> {
    const { address, within } = await findAddress(parts, token)
    const { type, stream } = await body()
    const taken = room.take(address.customerId)
    try {
      const { pieces, hash: contentHash, isWhole } = await receivePieces(stream, { mostBytes, taken })
      const contentType = type.slice(0, 200)
      const sent = { contentHash, contentType, isTest, isInquiry: false }
      const start = startOf(pieces, isWhole ? ADF_BOUNDS.bytes : KEPT_BYTES)
      const content: Content = isWhole
        ? contentOf(await thread.read(address.customerId, { pieces, contentType }), start)
        : {
            ...NOTHING,
            raw: start,
            sentFiles: [],
            failure: `${tooLarge(mostBytes)} Only its beginning was kept.`,
          }
      const { sentFiles, ...read } = content
      const { kept: files, undo } = await storeFiles(parts.files, address.customerId, sentFiles)
      const received = await undoneOnFailure(() => store(within, address, { ...sent, ...read, files }), undo)
      if (received.isRepeated) await undo()
      return { received, isWhole }
    } finally {
      taken.release()
    }
  }

  return {
    // The response tells the provider that its document has to be corrected. The text is kept in any case.
    async adf({ input: { token, test }, body }) {
      const sent = { token, isTest: test === '1', body }
      const { received, isWhole } = await receive(sent, ADF_BOUNDS.bytes)
      if (!isWhole) throw new Failure(413, tooLarge(ADF_BOUNDS.bytes))
      if (received.state !== 'quarantined') return received
      throw new Failure(422, `${received.reason ?? 'The document was not read.'} ${KEPT}`)
    },

    // Anything else than 200, and Postmark would send the email again.
    async mail({ input: { token }, body }) {
      return (await receive({ token, isTest: false, body }, MAX_EMAIL_BYTES)).received
    },
  }
}

/** Without the files of a message that couldn't be stored. */
async function undoneOnFailure<T>(work: () => Promise<T>, undo: () => Promise<void>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await undo()
    throw error
  }
}

/** Stores a message. If a fault prevents that, its text is kept at least, and its sender can try again. */
async function store(within: Within, address: ReceivingAddress, arrived: Arrived): Promise<ReceivedMessage> {
  try {
    return await within((db) => storeInbound(db, address, arrived))
  } catch (error) {
    // Under another hash, so that the next attempt isn't taken for the same message.
    const contentHash = `${arrived.contentHash} failed`
    // The sender tries again with all its files.
    const kept = { ...arrived, ...NOTHING, raw: arrived.raw, files: [], contentHash, failure: FAULT }
    await within((db) => storeInbound(db, address, kept))
    // A broken constraint is not a mistake of the sender, who may try again.
    throw explainViolation(error) === null ? error : new Error(FAULT, { cause: error })
  }
}

const FAULT = 'An internal error prevented it from becoming a lead. Process it again.'
const KEPT = 'The text was kept, and the dealer can review it.'
const tooLarge = (bytes: number): string => `The message is larger than the limit of ${bytes / 1_000_000} MB.`

/** `contentType`: if it isn't kept as it was sent. */
type Content = Pick<Arrived, 'mail' | 'adf' | 'encoding' | 'failure' | 'raw'> & {
  contentType?: string
  /** The files of an email, which aren't stored yet. */
  sentFiles: readonly MailFile[]
}
const NOTHING = { mail: null, adf: null, encoding: null, failure: null } as const

/** What the thread read. `start` is kept of what couldn't be read. */
function contentOf(read: ReadInbound, start: string): Content {
  if (read.kind === 'failed') return { ...NOTHING, raw: start, sentFiles: [], failure: read.message }
  if (read.kind === 'adf')
    return { ...NOTHING, raw: read.raw, sentFiles: [], adf: read.adf, encoding: read.adf.encoding }
  const { mail, raw, contentType, files } = read
  return {
    ...NOTHING,
    raw,
    contentType,
    sentFiles: files,
    mail,
    adf: mail.adf,
    encoding: mail.adf?.encoding ?? null,
  }
}

/** What is read of a text that was stored before. */
export async function readStored(
  thread: AdfThread,
  customerId: string,
  { text, contentType }: { text: string; contentType: string },
): Promise<Pick<InboundContent, 'mail' | 'adf' | 'failure'>> {
  const pieces = [new Uint8Array(new TextEncoder().encode(text))]
  const { mail, adf, failure } = contentOf(
    await thread.read(customerId, { pieces, contentType, isText: true }),
    '',
  )
  return { mail, adf, failure }
}

/**
 * The address of a token.
 * @throws Failure 404 if anything about the token is wrong, always the same one; 429 over the rate limit
 */
async function findAddress(
  { pool, count }: InboundOptions,
  token: string,
): Promise<{ address: ReceivingAddress; within: Within }> {
  const of = readUrlToken(token)
  const within: Within = (work) =>
    inTenant(pool, systemScope(of?.customerId ?? '0', 'inboundLeads.adf'), work)
  const found = of === null ? undefined : await within((db) => readReceivingAddress(db, of.id))
  if (found === undefined || !matchesUrlToken(token, found.tokenHash)) throw notFound('Inbound address')
  const sent = await count('leads sent to an address', `${found.customerId}/${found.id}`)
  if (sent.count > MAX_PER_HOUR)
    throw tooMany(
      `More than ${MAX_PER_HOUR} messages were sent within an hour. Try again later.`,
      sent.seconds,
    )
  return { address: found, within }
}

/** The first bytes as a text. The database stores no zero characters. */
function startOf(pieces: readonly Uint8Array[], most: number): string {
  const parts: Uint8Array[] = []
  let size = 0
  for (const piece of pieces) {
    if (size >= most) break
    parts.push(piece.subarray(0, most - size))
    size += piece.length
  }
  return new TextDecoder().decode(Buffer.concat(parts)).replaceAll('\0', '')
}
