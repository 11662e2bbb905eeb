import { Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { z } from 'zod'
import { InboundMail, type inboundFeeds } from '#contract/inventory/feeds/sources/feed-sources.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import { Failure, notFound, refused, tooMany } from '#server/http/failure.ts'
import type { RawBody } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { matchesUrlToken, readUrlToken } from '#server/http/url-token.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import { oneLine, shortName } from '../runs/file-name.ts'
import { systemScope } from '#server/queue/due-items.ts'
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

/** The most files a source can receive per hour; more are rejected with 429. */
const MAX_PER_HOUR = 60
/** In bytes. Postmark accepts emails of 35 MB; base64 makes them a third larger. */
const MAX_EMAIL_BYTES = 50_000_000

export type InboundOptions = Omit<IngestOptions, 'storage'> & {
  storage: OutsideStorage
  /** Counts the files sent to a source. */
  count: (sourceKey: string) => Promise<{ count: number; seconds: number }>
}

type ReceivedFile = z.output<typeof inboundFeeds.push.output>
type InboundSource = ActiveSource & { senders: string[]; within: Within }

/**
 * Receives files at the URL of a source, without sign-in. The URL identifies the source; any invalid URL returns 404. It is
 * checked before the body is read.
 */
export function inboundFeedHandlers(parts: InboundOptions): Handlers<typeof inboundFeeds> {
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
      const mail = await readEmail(await body())
      const from = oneLine(mail.FromFull?.Email ?? mail.From ?? '').toLowerCase()
      const key = (part: string): string => `${mail.MessageID}/${part}`
      if (!isSender(source.senders, from)) {
        const message = `An email from ${from.slice(0, 254)} was rejected: the address isn't an allowed sender.`
        return {
          files: await rejectEmail(parts, source, { mailKey: key('mail'), fileName: 'mail', message }),
        }
      }
      const all = mail.Attachments.map(({ Name, Content }, at) => ({ name: shortName(Name), Content, at }))
      const feeds = all.filter(({ name }) => isFeed(name))
      const others = all.filter(({ name }) => !isFeed(name)).map(({ name }) => name)
      if (feeds.length === 0) {
        const message =
          others.length === 0
            ? 'An email arrived without an attachment.'
            : `An email arrived without a feed file. Attachments: ${others.slice(0, 10).join(', ')}.`
        return {
          files: await rejectEmail(parts, source, { mailKey: key('mail'), fileName: 'mail', message }),
        }
      }
      const files: ReceivedFile[] = []
      const ignored =
        others.length === 0
          ? null
          : `Ignored attachments that aren't feeds: ${others.slice(0, 10).join(', ')}.`
      for (const { name: fileName, Content, at } of feeds) {
        const bytes = Buffer.from(Content, 'base64')
        const received = await receive(intakeOf(outside), source, {
          fileName,
          stream: Readable.from([bytes]),
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

/** @throws Failure 400, 413 */
async function readEmail({ stream }: RawBody): Promise<InboundMail> {
  const text = (await buffer(stream.pipe(limit()))).toString('utf8')
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw refused('The request body is not valid JSON.')
  }
  const mail = InboundMail.safeParse(given)
  if (mail.success) return mail.data
  throw refused("This isn't an email in the Postmark inbound format: MessageID and Attachments are expected.")
}

function limit(): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > MAX_EMAIL_BYTES)
        done(new Failure(413, `The email is larger than the limit of ${MAX_EMAIL_BYTES / 1_000_000} MB.`))
      else done(null, chunk)
    },
  })
}

/** Decided by file name, because many emails also carry images and signatures. */
const isFeed = (name: string): boolean => /\.(?:(?:csv|tsv|txt|xml|json)(?:\.gz)?|zip)$/i.test(name)

function isSender(senders: readonly string[], from: string): boolean {
  return senders.length === 0 || senders.some((one) => from === one || from.endsWith(`@${one}`))
}

/** The file extension for a file sent without a name. */
function endingOf(type: string): string {
  if (type.includes('json')) return '.json'
  return type.includes('xml') ? '.xml' : '.csv'
}
