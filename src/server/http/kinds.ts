import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import { finished, PassThrough, Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { Failure, NOT_JSON, refused, statusOf } from './failure.ts'

/** A file on its way out. It is always offered for saving, never shown under our origin. */
export class Download {
  readonly name: string
  readonly type: string
  readonly body: Readable | Buffer
  /** Its address names its content: whoever has it need not ask again. */
  readonly isForEver: boolean
  /** Names the content: whoever has it already is told so, and the body is not read. */
  readonly etag: string | null

  constructor(file: {
    name: string
    type: string
    body: Readable | Buffer
    isForEver?: boolean
    etag?: string | null
  }) {
    this.name = file.name
    this.type = file.type
    this.body = file.body
    this.isForEver = file.isForEver === true
    this.etag = file.etag ?? null
  }
}

/** The files of a multipart body, one after the other: each must be read before the next. */
export type Upload = AsyncIterable<{ name: string; type: string; stream: Readable }>

/** Reads the fields that stand before the first file and leaves the files to the handler. */
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

/** The parts of a body. @throws Failure 400 where it is cut or is not multipart. */
async function* partsOf(request: FastifyRequest): AsyncGenerator<Part> {
  try {
    yield* request.parts()
  } catch (error) {
    throw asMalformed(error)
  }
}

/** What the parser says is no bug of ours: its input comes from outside. Limits have a status of their own. */
function asMalformed(error: unknown): unknown {
  const status = statusOf(error)
  return status >= 400 && status < 500 && status !== 400 ? error : refused(MALFORMED, { files: MALFORMED })
}
const MALFORMED = 'The upload is incomplete, or is not valid multipart/form-data. Send it again.'

/** A file of a body that ends with a Failure 400 where the body is cut, so that no reader takes that for a bug. */
function readableFile(file: Readable): Readable {
  const out = new PassThrough()
  // Its reader may come later than its end.
  out.on('error', () => {})
  out.once('close', () => file.destroy())
  // Also calls back where the body was cut before anybody asked for this file.
  finished(file, { writable: false }, (error) => {
    if (error) out.destroy(refused(MALFORMED, { files: MALFORMED }))
  })
  return file.pipe(out)
}

/** A body as it comes, whatever it is; `name` where a part of multipart/form-data says one. */
export type RawBody = { type: string; name: string | null; stream: Readable }

/** The body, or the first file of a multipart one. @throws Failure 400 where there is none. */
export async function readRaw(request: FastifyRequest): Promise<RawBody> {
  if (!request.isMultipart()) {
    return { type: request.headers['content-type'] ?? '', name: null, stream: request.raw }
  }
  const { files } = await readUpload(request)
  for await (const { type, name, stream } of files) return { type, name, stream }
  throw refused('Send a file.', { files: 'Send a file.' })
}

/** Lets bodies of any type through unread: those of `raw` calls alone, in a scope of their own. */
export function takeAnyBody(scope: FastifyInstance): void {
  scope.removeContentTypeParser(['application/json', 'text/plain'])
  // Machines of providers say nothing or nonsense of what they send; it is looked at, not believed.
  scope.addHook('onRequest', async ({ headers }) => {
    if (!/^[\w.+-]+\/[\w.+-]+/.test(headers['content-type'] ?? ''))
      headers['content-type'] = 'application/octet-stream'
  })
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** So long a caller may go on sending what nobody wants any more. */
const PATIENCE_MS = 30_000

/**
 * Reads what is left of a body once its answer is out: a browser that is still sending sees the refusal only then.
 */
export function discardRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    if (raw.readableEnded || raw.destroyed) return
    raw.unpipe()
    raw.resume()
    const timer = setTimeout(() => raw.destroy(), PATIENCE_MS).unref()
    raw.once('close', () => clearTimeout(timer))
  })
}

/** A body of files where none are taken. */
export function refuseMultipart(request: FastifyRequest): null {
  if (request.isMultipart()) throw new Failure(415, NOT_JSON)
  return null
}

type Part = MultipartFile | MultipartValue

async function* noFiles(): Upload {}

async function* filesFrom(first: Part, rest: AsyncIterable<Part>): Upload {
  if (first.type === 'file')
    yield { name: first.filename, type: first.mimetype, stream: readableFile(first.file) }
  for await (const part of rest) {
    if (part.type === 'file')
      yield { name: part.filename, type: part.mimetype, stream: readableFile(part.file) }
  }
}

export function sendDownload(file: unknown, reply: FastifyReply): FastifyReply {
  if (!(file instanceof Download)) throw new Error('A download must answer with a Download.')
  const plain = file.name.replace(/[^\w. -]/g, '_')
  if (file.isForEver) void reply.header('cache-control', 'public, max-age=31536000, immutable')
  if (file.etag !== null) {
    // Weak: on its way it may be compressed.
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
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    )
    .header('content-security-policy', "sandbox; default-src 'none'")
    .type(file.type)
    .send(file.body)
}

/** Server-sent events, one for each value, until the handler ends or the caller leaves. */
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
