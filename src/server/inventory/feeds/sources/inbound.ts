import { Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { z } from 'zod'
import { InboundMail, type inboundFeeds } from '#contract/inventory/feeds/sources/feed-sources.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import { Failure, notFound, refused, tooMany } from '#server/http/failure.ts'
import type { RawBody } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { oneLine, shortName } from '../runs/file-name.ts'
import { scopeOfMachine } from '#server/inventory/due-turn.ts'
import { opensSource, readToken } from './source-row.ts'
import {
  activeColumns,
  type ActiveSource,
  startArrival,
  endArrival,
  type Ending,
  SAME,
  resolveProblem,
  ingest,
  type TakeInParts,
  type Within,
} from './ingest-feed.ts'

/** Files that one source is sent in an hour; more are refused with 429. */
const MOST_AN_HOUR = 60
/** Postmark takes mails of 35 MB; base64 makes them a third larger. In bytes. */
const MOST_MAIL = 50_000_000

export type InboundParts = TakeInParts & {
  /** Counts what is sent to a source. */
  count: (sourceKey: string) => Promise<{ count: number; seconds: number }>
}

type ReceivedFile = z.output<typeof inboundFeeds.push.output>
type Found = ActiveSource & { senders: string[]; within: Within }

/**
 * What machines outside send to the address of a source, without signing in. The address says whose; whatever is wrong
 * with it, there is nothing there. It is looked at before a byte of the body is read.
 */
export function inboundFeedHandlers(parts: InboundParts): Handlers<typeof inboundFeeds> {
  return {
    async push({ input: { token, name }, body }) {
      const source = await find(parts, token, 'api')
      const coming = await body()
      const fileName = name ?? coming.name ?? `${source.name}${endingOf(coming.type)}`
      const taken = await bring(parts, source, { fileName, stream: coming.stream })
      // Whoever sends sees it at once, as a person would.
      if (taken instanceof Failure) throw taken
      return taken
    },

    async mail({ input: { token }, body }) {
      const source = await find(parts, token, 'mail')
      const mail = await readMail(await body())
      const from = oneLine(mail.FromFull?.Email ?? mail.From ?? '').toLowerCase()
      const key = (place: string): string => `${mail.MessageID}/${place}`
      if (!isSender(source.senders, from)) {
        const said = `A mail of ${from.slice(0, 254)} was not taken: it is none of the senders.`
        return { files: await refuse(parts, source, { mailKey: key('mail'), fileName: 'mail', said }) }
      }
      const all = mail.Attachments.map(({ Name, Content }, at) => ({ name: shortName(Name), Content, at }))
      const feeds = all.filter(({ name }) => isFeed(name))
      const others = all.filter(({ name }) => !isFeed(name)).map(({ name }) => name)
      if (feeds.length === 0) {
        const said =
          others.length === 0
            ? 'A mail came without an attachment.'
            : `A mail came without a feed: ${others.slice(0, 10).join(', ')} is none.`
        return { files: await refuse(parts, source, { mailKey: key('mail'), fileName: 'mail', said }) }
      }
      const files: ReceivedFile[] = []
      const beside =
        others.length === 0 ? null : `Not a feed, and let pass: ${others.slice(0, 10).join(', ')}.`
      for (const { name: fileName, Content, at } of feeds) {
        const bytes = Buffer.from(Content, 'base64')
        const taken = await bring(parts, source, {
          fileName,
          stream: Readable.from([bytes]),
          mailKey: key(String(at)),
          beside,
        })
        if (taken instanceof Failure)
          files.push({ runId: null, state: 'failed', fileName, said: taken.message })
        else files.push(taken)
      }
      return { files }
    },
  }
}

/** @throws Failure 404 whatever is wrong with the address, 429 when too much comes. */
async function find({ pool, count }: InboundParts, token: string, kind: 'api' | 'mail'): Promise<Found> {
  const of = readToken(token)
  if (of === null) throw notFound('Feed source')
  const scope = scopeOfMachine(of.customerId, 'inboundFeeds.push')
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
  if (row === undefined || !opensSource(token, row.tokenHash)) throw notFound('Feed source')
  const { count: sent, seconds } = await count(`${of.customerId}/${of.id}`)
  if (sent > MOST_AN_HOUR) {
    throw tooMany(`More than ${MOST_AN_HOUR} files came within an hour. Try again later.`, seconds)
  }
  const { tokenHash: _hash, ...source } = row
  return { ...source, within }
}

type Coming = { fileName: string; stream: Readable; mailKey?: string; beside?: string | null }

/** Takes one file in and notes what became of it; a refusal is noted, too, and answered. */
async function bring(
  parts: InboundParts,
  source: Found,
  { fileName, stream, mailKey, beside = null }: Coming,
): Promise<ReceivedFile | Failure> {
  const { within, id: sourceId } = source
  const shown = shortName(fileName)
  const id = await within((db) =>
    startArrival(db, { sourceId, fileName: shown, ...(mailKey !== undefined && { mailKey }) }),
  )
  if (id === null) {
    return { runId: null, state: 'unchanged', fileName: shown, said: 'This mail was taken before.' }
  }
  const end = async (ending: Ending): Promise<void> => {
    await within((db) => endArrival(db, { sourceId, id, ending }))
    await resolveProblem(within, parts, { source, ending })
  }
  try {
    const { runId, isSame } = await ingest(parts, source, { stream, fileName })
    const said = [isSame ? SAME : null, beside].filter((sentence) => sentence !== null).join(' ') || null
    const taken = { runId, state: isSame ? ('unchanged' as const) : ('brought' as const), said }
    await end(taken)
    return { ...taken, fileName: shown }
  } catch (error) {
    const said = error instanceof Failure ? error.message : 'It broke off while it came.'
    await end({ state: 'failed', runId: null, said })
    if (error instanceof Failure) return error
    throw error
  }
}

/** A mail of which nothing is taken is noted once. */
async function refuse(
  parts: InboundParts,
  source: Found,
  { mailKey, fileName, said }: { mailKey: string; fileName: string; said: string },
): Promise<ReceivedFile[]> {
  const { within, id: sourceId } = source
  const id = await within((db) => startArrival(db, { sourceId, mailKey }))
  const ending = { state: 'failed' as const, runId: null, said }
  if (id !== null) {
    await within((db) => endArrival(db, { sourceId, id, ending }))
    await resolveProblem(within, parts, { source, ending })
  }
  return [{ ...ending, fileName }]
}

/** @throws Failure 400, 413 */
async function readMail({ stream }: RawBody): Promise<InboundMail> {
  const text = (await buffer(stream.pipe(limit()))).toString('utf8')
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw refused('The request body is not readable as JSON.')
  }
  const mail = InboundMail.safeParse(given)
  if (mail.success) return mail.data
  throw refused('This is no mail as Postmark posts it: MessageID and Attachments are looked for.')
}

function limit(): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > MOST_MAIL) done(new Failure(413, `A mail may have at most ${MOST_MAIL / 1_000_000} MB.`))
      else done(null, chunk)
    },
  })
}

/** By its name: pictures and signatures come with many mails. */
const isFeed = (name: string): boolean => /\.(?:(?:csv|tsv|txt|xml|json)(?:\.gz)?|zip)$/i.test(name)

function isSender(senders: readonly string[], from: string): boolean {
  return senders.length === 0 || senders.some((one) => from === one || from.endsWith(`@${one}`))
}

/** How a file is called that came without a name. */
function endingOf(type: string): string {
  if (type.includes('json')) return '.json'
  return type.includes('xml') ? '.xml' : '.csv'
}
