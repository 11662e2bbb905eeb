import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import { finished, PassThrough, Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { makePace } from '#server/threads/pace.ts'
import { Failure, NOT_JSON, refused, statusOf } from './failure.ts'

/** A file to send. It is sent as an attachment, never shown under our origin, unless the product itself made it. */
export class Download {
  readonly name: string
  readonly type: string
  readonly body: Readable | Buffer
  /** Its URL identifies its content, so clients can cache it forever. */
  readonly isImmutable: boolean
  /** Identifies the content. If the client already has it, the answer is 304 and the body is not read. */
  readonly etag: string | null
  /** How long the browser of the same user may reuse it without asking. */
  readonly privateSeconds: number
  /** The caller keeps it, unlike a picture that a screen shows: the audit log gets an entry. */
  readonly isTaken: boolean
  /** A browser may show it: only what the product itself made. */
  readonly isInline: boolean

  constructor(file: {
    name: string
    type: string
    body: Readable | Buffer
    isImmutable?: boolean
    etag?: string | null
    privateSeconds?: number
    /** False if it is only shown, or if its handler writes an entry that says more. */
    isTaken?: boolean
    isInline?: boolean
  }) {
    this.name = file.name
    this.type = file.type
    this.body = file.body
    this.isImmutable = file.isImmutable === true
    this.etag = file.etag ?? null
    this.privateSeconds = file.privateSeconds ?? 0
    const isShown = this.isImmutable || this.privateSeconds > 0
    this.isTaken = file.isTaken ?? !isShown
    this.isInline = file.isInline === true
  }
}

/**
 * Which parts of a multipart body are streamed as files. Also those that claim to be JSON: the plugin would parse them as they
 * arrive, before anything limits them, and keep 50 times their size in memory.
 */
export const isPartAFile = (
  _name: string | undefined,
  type: string | undefined,
  fileName: string | undefined,
): boolean =>
  fileName !== undefined ||
  type === 'application/octet-stream' ||
  type?.toLowerCase().startsWith('application/json') === true

/** The files of a multipart body, in order. Read each one before the next. */
export type Upload = AsyncIterable<{ name: string; type: string; stream: Readable }>

/** Reads the fields before the first file and leaves the files to the handler. */
export async function readUpload(
  request: FastifyRequest,
): Promise<{ fields: Record<string, string>; files: Upload }> {
  if (!request.isMultipart()) throw refused('Send the files as multipart/form-data.')
  const parts = partsOf(request)
  const fields: Record<string, string> = {}
  for (;;) {
    const { value: part, done } = await parts.next()
    if (done === true) return { fields, files: noFiles() }
    if (part.type === 'file') return { fields, files: filesFrom(part, parts) }
    fields[part.fieldname] = String(part.value)
  }
}

/** The parts of a body. @throws Failure 400 if it is truncated or is not multipart. */
export async function* partsOf(
  request: FastifyRequest,
  isFile: typeof isPartAFile = isPartAFile,
): AsyncGenerator<Part> {
  try {
    yield* request.parts({ isPartAFile: isFile })
  } catch (error) {
    throw asMalformed(error)
  }
}

/** A parser error is the client's, not a bug of ours. Exceeded limits keep their own status. */
function asMalformed(error: unknown): unknown {
  const status = statusOf(error)
  return status >= 400 && status < 500 && status !== 400 ? error : refused(MALFORMED, { files: MALFORMED })
}
const MALFORMED = 'The upload is incomplete, or is not valid multipart/form-data. Send it again.'

/** A file stream that fails with Failure 400 if the body is truncated, so that no reader takes that for a bug. */
export function readableFile(file: Readable): Readable {
  const out = new PassThrough()
  // The stream may fail before its reader attaches.
  out.on('error', () => {})
  out.once('close', () => file.destroy())
  // Also calls back if the body was truncated before this file was read.
  finished(file, { writable: false }, (error) => {
    if (error) out.destroy(refused(MALFORMED, { files: MALFORMED }))
  })
  return file.pipe(out)
}

/** An unparsed body of any type. `name` is set if a multipart/form-data part has one. */
export type RawBody = { type: string; name: string | null; stream: Readable }

/**
 * The body; of a multipart body, the first file, or without one the longest field, as some programs send documents. Mail services
 * post a whole message in a field, which is streamed like a file.
 * @throws Failure 400 if there is none
 */
export async function readRaw(request: FastifyRequest): Promise<RawBody> {
  if (!request.isMultipart()) {
    return { type: request.headers['content-type'] ?? '', name: null, stream: request.raw }
  }
  const parts = partsOf(request, isRawPart)
  let longest = Buffer.alloc(0)
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- One part after the other.
    const { value: part, done } = await parts.next()
    if (done === true) break
    if (part.type === 'file') {
      const stream = readableFile(part.file)
      if (part.filename !== undefined || !MESSAGE_FIELDS.test(part.fieldname))
        return { type: part.mimetype, name: part.filename ?? '', stream }
      // oxlint-disable-next-line no-await-in-loop -- As above.
      const { start, whole } = await peek(stream)
      if (start.length > MOST_OF_FIELD) return { type: part.mimetype, name: null, stream: whole }
      if (start.length > longest.length) longest = start
    } else {
      const value = Buffer.from(String(part.value))
      if (value.length > longest.length) longest = value
    }
  }
  if (longest.length > 0) return { type: 'text/plain', name: null, stream: Readable.from([longest]) }
  throw refused('Send a file.', { files: 'Send a file.' })
}

/** The fields in which mail services post a whole message. Forms have some of these names, too, for short values. */
const MESSAGE_FIELDS = /^(?:body-mime|email|raw|mime|message|raw[-_]?(?:email|message)|rfc822)$/i
const isRawPart = (name: string | undefined, type: string | undefined, fileName: string | undefined) =>
  isPartAFile(name, type, fileName) || MESSAGE_FIELDS.test(name ?? '')
/** In bytes: a longer value is streamed. */
const MOST_OF_FIELD = 100_000

/** The start of a stream, which is all of it if it isn't longer, and a stream with all of it. */
async function peek(stream: Readable): Promise<{ start: Buffer<ArrayBuffer>; whole: Readable }> {
  const read: Buffer[] = []
  let size = 0
  const pieces = stream.iterator({ destroyOnReturn: false })
  for await (const piece of pieces) {
    read.push(Buffer.from(piece))
    size += read.at(-1)?.length ?? 0
    if (size > MOST_OF_FIELD) break
  }
  async function* all() {
    yield* read
    if (!stream.readableEnded) yield* stream
  }
  return { start: Buffer.concat(read), whole: Readable.from(all(), { objectMode: false }) }
}

/** Accepts bodies of any type without parsing them. For `raw` endpoints only, in a scope of their own. */
export function acceptAnyBody(scope: FastifyInstance): void {
  scope.removeContentTypeParser(['application/json', 'text/plain'])
  // Feed providers often send no content type or a wrong one, so the content is inspected instead.
  scope.addHook('onRequest', async ({ headers }) => {
    if (!/^[\w.+-]+\/[\w.+-]+/.test(headers['content-type'] ?? ''))
      headers['content-type'] = 'application/octet-stream'
  })
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** How long a client may keep sending a body that was already rejected. */
const PATIENCE_MS = 30_000
/** How fast rejected bodies of one address are read, in bytes per second. */
const pace = makePace(10_000_000)

/**
 * Drains the rest of a body after the response is sent, without parsing it: a browser shows the response only when its upload has
 * ended.
 */
export function discardRemainingBody({ raw, ip }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    if (raw.readableEnded || raw.destroyed) return
    raw.unpipe()
    raw.removeAllListeners('data')
    // It may end early: the client closes the connection, or it took too long.
    void drain(raw, ip).catch(() => {})
    const timer = setTimeout(() => raw.destroy(), PATIENCE_MS).unref()
    raw.once('close', () => clearTimeout(timer))
  })
}

async function drain(body: Readable, owner: string): Promise<void> {
  for await (const piece of body.iterator({ destroyOnReturn: false }))
    if (piece instanceof Uint8Array) await pace(owner, piece.length)
}

/** @throws Failure 415 for a multipart body on an endpoint that takes JSON. */
export function refuseMultipart(request: FastifyRequest): null {
  if (request.isMultipart()) throw new Failure(415, NOT_JSON)
  return null
}

type Part = MultipartFile | MultipartValue

async function* noFiles(): Upload {}

async function* filesFrom(first: Part, rest: AsyncIterable<Part>): Upload {
  if (first.type === 'file')
    yield { name: first.filename ?? '', type: first.mimetype, stream: readableFile(first.file) }
  for await (const part of rest) {
    if (part.type === 'file')
      yield { name: part.filename ?? '', type: part.mimetype, stream: readableFile(part.file) }
  }
}

export function sendDownload(file: unknown, reply: FastifyReply): FastifyReply {
  if (!(file instanceof Download)) throw new Error('A download must answer with a Download.')
  const plain = file.name.replace(/[^\w. -]/g, '_')
  if (file.isImmutable) void reply.header('cache-control', 'public, max-age=31536000, immutable')
  if (file.privateSeconds > 0) {
    void reply
      .header('cache-control', `private, max-age=${file.privateSeconds}`)
      .header('vary', 'authorization')
  }
  if (file.etag !== null) {
    // Weak, because the body may be compressed on its way.
    const etag = `W/"${file.etag}"`
    void reply.header('etag', etag).header('cache-control', 'no-cache')
    const known = reply.request.headers['if-none-match'] ?? ''
    if (known.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${file.etag}"`)) {
      if (file.body instanceof Readable) file.body.destroy()
      return reply.code(304).send()
    }
  }
  return reply
    .header(
      'content-disposition',
      `${file.isInline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    )
    .header('content-security-policy', "sandbox; default-src 'none'")
    .type(file.type)
    .send(file.body)
}

/** Server-sent events, one for each value, until the handler ends or the client disconnects. */
export function sendStream(result: unknown, endpoint: Endpoint, reply: FastifyReply): FastifyReply {
  if (!isAsyncIterable(result)) throw new Error('A stream must answer with an async iterable.')
  const events: AsyncIterable<unknown> = result
  async function* lines() {
    for await (const event of events) {
      yield `data: ${JSON.stringify(endpoint.output.parse(event))}\n\n`
    }
  }
  return reply.header('cache-control', 'no-store').type('text/event-stream').send(Readable.from(lines()))
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
