import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { inboundFeeds } from '#contract/feeds/sources/feed-sources.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import { Failure, notFound, refused, tooMany } from '#server/http/failure.ts'
import type { RawBody } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { matchesUrlToken, readUrlToken } from '#server/http/url-token.ts'
import { isOpenOrganization } from '#server/organizations/index.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import { shortName } from '#server/formats/file-name.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { type BoundedThread, makeBoundedThread } from '#server/threads/bounded-thread.ts'
import { makeRoom, receivePieces, type Room } from '#server/threads/receive-pieces.ts'
import {
  activeColumns,
  type ActiveSource,
  startDelivery,
  endDelivery,
  type DeliveryResult,
  SAME,
  resolveProblem,
  ingest,
  type IngestOptions,
  type Within,
} from './ingest-feed.ts'
import type { FeedMail, MailTask } from './mail-worker.ts'

/** The most files a source can receive per hour; more are rejected with 429. */
const MAX_PER_HOUR = 60
/** In bytes. Postmark accepts emails of 35 MB; base64 makes them a third larger. */
const MAX_EMAIL_BYTES = 50_000_000
/** The text of such an email, and once more the content of its files in base64. */
const MAIL_HEAP_MB = 384

export type InboundOptions = Omit<IngestOptions, 'storage'> & {
  storage: OutsideStorage
  /** Counts the files sent to a source. */
  count: (sourceKey: string) => Promise<{ count: number; seconds: number }>
  /** Reads emails. */
  mailThread: MailThread
}
export type MailThread = BoundedThread<MailTask, FeedMail>

export const makeMailThread = (): MailThread =>
  makeBoundedThread(new URL('./mail-worker.ts', import.meta.url), { heapMb: MAIL_HEAP_MB })

type ReceivedFile = z.output<typeof inboundFeeds.push.output>
type InboundSource = ActiveSource & { senders: string[]; within: Within }

/**
 * Receives files at the URL of a source, without sign-in. The URL identifies the source; any invalid URL returns 404. It is
 * checked before the body is read.
 */
export function inboundFeedHandlers(parts: InboundOptions): Handlers<typeof inboundFeeds> {
  const room = makeRoom()
  const intakeOf = (outside: Outside): IngestOptions => ({ ...parts, storage: parts.storage(outside) })
  return {
    async push({ input: { token, name }, outside, body }) {
      const source = await find(parts, token, 'api')
      const file = await body()
      const fileName = name ?? file.name ?? `${source.name}${endingOf(file.type)}`
      const received = await receive(intakeOf(outside), source, { fileName, stream: file.stream })
      // The sender gets the error in the response.
      if (received instanceof Failure) throw received
      return received
    },

    async mail({ input: { token }, outside, body }) {
      const source = await find(parts, token, 'mail')
      const mail = await readEmail(await body(), { room, thread: parts.mailThread, source })
      const key = (part: string): string => `${mail.messageId}/${part}`
      const reject = async (message: string) => ({
        files: await rejectEmail(parts, source, { mailKey: key('mail'), fileName: 'mail', message }),
      })
      if (!isSender(source.senders, mail.from)) {
        const from = mail.from.slice(0, 254)
        return reject(`An email from ${from} was rejected: the address isn't an allowed sender.`)
      }
      const feeds = mail.files.flatMap(({ name, bytes }, at) => (bytes === null ? [] : [{ name, bytes, at }]))
      const others = mail.files.flatMap(({ name, bytes }) => (bytes === null ? [name] : []))
      if (feeds.length === 0) {
        return reject(
          others.length === 0
            ? 'An email arrived without an attachment.'
            : `An email arrived without a feed file. Attachments: ${others.slice(0, 10).join(', ')}.`,
        )
      }
      const files: ReceivedFile[] = []
      const ignored =
        others.length === 0
          ? null
          : `Ignored attachments that aren't feeds: ${others.slice(0, 10).join(', ')}.`
      for (const { name: fileName, bytes, at } of feeds) {
        const received = await receive(intakeOf(outside), source, {
          fileName,
          stream: Readable.from([Buffer.from(bytes.buffer)]),
          mailKey: key(String(at)),
          ignored,
        })
        if (received instanceof Failure)
          files.push({ runId: null, state: 'failed', fileName, message: received.message })
        else files.push(received)
      }
      return { files }
    },
  }
}

/** @throws Failure 404 if anything about the URL is wrong, 429 over the rate limit. */
async function find(
  { pool, count }: InboundOptions,
  token: string,
  kind: 'api' | 'mail',
): Promise<InboundSource> {
  const of = readUrlToken(token)
  if (of === null) throw notFound('Feed source')
  const scope = systemScope(of.customerId, 'inboundFeeds.push')
  const within: Within = (work) => inTenant(pool, scope, work)
  const row = await within((db) =>
    db
      .selectFrom('feedSources as s')
      .innerJoin('customers as c', 'c.id', 's.customerId')
      .select(activeColumns)
      .select(['s.senders', 's.tokenHash'])
      .where('s.id', '=', of.id)
      .where('s.kind', '=', kind)
      .where('s.isActive', '=', true)
      .where('c.status', '=', 'active')
      .where(
        isOpenOrganization({
          customerId: sql.ref('s.customerId'),
          organizationId: sql.ref('s.organizationId'),
        }),
      )
      .executeTakeFirst(),
  )
  if (row === undefined || !matchesUrlToken(token, row.tokenHash)) throw notFound('Feed source')
  const { count: sent, seconds } = await count(`${of.customerId}/${of.id}`)
  if (sent > MAX_PER_HOUR) {
    throw tooMany(`More than ${MAX_PER_HOUR} files were sent within an hour. Try again later.`, seconds)
  }
  const { tokenHash: _hash, ...source } = row
  return { ...source, within }
}

type InboundUpload = { fileName: string; stream: Readable; mailKey?: string; ignored?: string | null }

/** Ingests one file and records the outcome. A rejection is recorded too, and returned. */
async function receive(
  parts: IngestOptions,
  source: InboundSource,
  { fileName, stream, mailKey, ignored = null }: InboundUpload,
): Promise<ReceivedFile | Failure> {
  const { within, id: sourceId } = source
  const shown = shortName(fileName)
  const id = await within((db) =>
    startDelivery(db, { sourceId, fileName: shown, ...(mailKey !== undefined && { mailKey }) }),
  )
  if (id === null) {
    return { runId: null, state: 'unchanged', fileName: shown, message: 'This email was already processed.' }
  }
  const end = async (ending: DeliveryResult): Promise<void> => {
    await within((db) => endDelivery(db, { sourceId, id, ending }))
    await resolveProblem(within, parts, { source, ending })
  }
  try {
    const { runId, isSame } = await ingest(parts, source, { stream, fileName })
    const message = [isSame ? SAME : null, ignored].filter((sentence) => sentence !== null).join(' ') || null
    const received = { runId, state: isSame ? ('unchanged' as const) : ('received' as const), message }
    await end(received)
    return { ...received, fileName: shown }
  } catch (error) {
    const message = error instanceof Failure ? error.message : 'The transfer was interrupted.'
    await end({ state: 'failed', runId: null, message })
    if (error instanceof Failure) return error
    throw error
  }
}

/** Records a rejected email once. */
async function rejectEmail(
  parts: Pick<IngestOptions, 'notices'>,
  source: InboundSource,
  { mailKey, fileName, message }: { mailKey: string; fileName: string; message: string },
): Promise<ReceivedFile[]> {
  const { within, id: sourceId } = source
  const id = await within((db) => startDelivery(db, { sourceId, mailKey }))
  const ending = { state: 'failed' as const, runId: null, message }
  if (id !== null) {
    await within((db) => endDelivery(db, { sourceId, id, ending }))
    await resolveProblem(within, parts, { source, ending })
  }
  return [{ ...ending, fileName }]
}

/** @throws Failure 400, 413, 429 */
async function readEmail(
  { stream }: RawBody,
  { room, thread, source }: { room: Room; thread: MailThread; source: ActiveSource },
): Promise<FeedMail & { kind: 'mail' }> {
  const taken = room.take(source.customerId)
  try {
    const { pieces, isWhole } = await receivePieces(stream, { mostBytes: MAX_EMAIL_BYTES, taken })
    if (!isWhole)
      throw new Failure(413, `The email is larger than the limit of ${MAX_EMAIL_BYTES / 1_000_000} MB.`)
    const transfer = pieces.map(({ buffer }) => buffer)
    const ended = await thread.run(source.customerId, { pieces }, transfer)
    if (ended.kind !== 'done') throw refused('Reading this email takes too much time or memory.')
    if (ended.result.kind === 'refused') throw refused(ended.result.message)
    return ended.result
  } finally {
    taken.release()
  }
}

function isSender(senders: readonly string[], from: string): boolean {
  return senders.length === 0 || senders.some((one) => from === one || from.endsWith(`@${one}`))
}

/** The file extension for a file sent without a name. */
function endingOf(type: string): string {
  if (type.includes('json')) return '.json'
  return type.includes('xml') ? '.xml' : '.csv'
}
