import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Answer } from '#contract/answer.ts'
import { fieldSentences, sentenceOf } from '#contract/field-sentences.ts'
import type { Allow, Contract, Domain, Endpoint, Received, Returned } from '#contract/endpoint.ts'
import { listEndpoints } from '#contract/endpoint.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { withOpenTransaction } from '#server/outside/open-transaction.ts'
import type { Actor, Member, Visit } from './actor.ts'
import { Failure, forbidden, refused } from './failure.ts'
import { JsonText } from './json-text.ts'
import {
  discardRest,
  readRaw,
  readUpload,
  refuseMultipart,
  sendDownload,
  sendStream,
  takeAnyBody,
} from './kinds.ts'
import type { Download, RawBody, Upload } from './kinds.ts'
import { findUnusable, requestInput } from './request-input.ts'
import { scopeOf } from './scope-of.ts'

/** What a handler receives. It never sees a request, a reply, a header or an answer object. */
export type Context<E extends Endpoint> = { input: Received<E>; visit: Visit } & ByAllow<E['allow'], E> &
  ByKind<E['kind']>

type ByAllow<A extends Allow, E extends Endpoint> = A extends 'anyone'
  ? { actor: null }
  : A extends 'session' | 'verified'
    ? { actor: Actor }
    : { actor: Member } & Tenant<E>

/** A handler that streams or talks to another machine opens its transactions itself, around its statements only. */
type Tenant<E extends Endpoint> = E['outside'] extends true
  ? { inTenant: InTenant }
  : E['kind'] extends 'json' | 'page' | 'probe'
    ? { db: Database }
    : { inTenant: InTenant }
type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type ByKind<K> = K extends 'upload'
  ? { files: Upload }
  : K extends 'raw'
    ? { body: () => Promise<RawBody> }
    : unknown
type Result<E extends Endpoint> = E['kind'] extends 'download' | 'report'
  ? Download
  : E['kind'] extends 'stream'
    ? AsyncIterable<Returned<E>>
    : E['kind'] extends 'json'
      ? Returned<E> | JsonText<Returned<E>>
      : Returned<E>

export type Handlers<D extends Domain> = { [K in keyof D]: (context: Context<D[K]>) => Promise<Result<D[K]>> }
/** One handler for every endpoint: a missing one does not compile. */
export type AllHandlers<C extends Contract> = { [K in keyof C]: Handlers<C[K]> }

export type Mechanisms = {
  pool: pg.Pool
  visit: (request: FastifyRequest, reply: FastifyReply) => Visit
  /** Says who is calling, or refuses with 401 or 403. */
  authenticate: (visit: Visit, endpoint: Endpoint) => Promise<Actor>
  /** Holds answers that are JSON already against the contract, too: on in the tests, whose task that is. */
  checksJsonText?: boolean | undefined
}

/** Enough for a token and a form, in bytes. */
const ANONYMOUS_BODY_LIMIT = 32_768

type LooseContext = Record<string, unknown>
type Call = { visit: Visit; actor: Actor | null }

/** Puts every endpoint of the contract on the server. A route outside the contract does not exist. */
export function serve<C extends Contract>(
  app: FastifyInstance,
  contract: C,
  handlers: AllHandlers<C>,
  { pool, visit, authenticate, checksJsonText = false }: Mechanisms,
): void {
  const calls = new WeakMap<FastifyRequest, Call>()
  for (const { name, endpoint } of listEndpoints(contract)) {
    const [domain = '', key = ''] = name.split('.')
    // The one place where the handlers' types are laid aside: `AllHandlers` has checked each against its endpoint.
    const handler = (handlers as Record<string, Record<string, (context: LooseContext) => Promise<unknown>>>)[
      domain
    ]?.[key]
    if (handler === undefined) throw new Error(`${name} has no handler.`)

    const put = (on: FastifyInstance) =>
      on.route({
        method: endpoint.method,
        config: { endpoint: name },
        // A stranger's body is read before anybody knows who they are.
        ...(endpoint.allow === 'anyone' && { bodyLimit: ANONYMOUS_BODY_LIMIT }),
        url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
        // Before the body is read: a stranger's ten megabytes are not worth parsing, and 401 comes before 400.
        onRequest: async (request, reply) => {
          const visitor = visit(request, reply)
          const actor = endpoint.allow === 'anyone' ? null : await authenticate(visitor, endpoint)
          if (endpoint.writes && request.headers['sec-fetch-site'] === 'cross-site') {
            throw forbidden('Another site may not act here.')
          }
          calls.set(request, { visit: visitor, actor })
        },
        handler: async (request, reply) => {
          const call = calls.get(request)
          if (call === undefined) throw new Error('The request was not let in.')
          if (endpoint.kind === 'upload' || endpoint.kind === 'raw') discardRest(request, reply)
          const upload = await readFiles(endpoint, request)
          const context: LooseContext = {
            ...call,
            files: upload?.files,
            body: () => readRaw(request),
            input: readInput(endpoint, request, upload?.fields),
          }
          const work = (more: LooseContext): Promise<unknown> =>
            handler({ ...context, ...more }).then(
              (result) => {
                if (!(result instanceof JsonText)) return validate(endpoint, result)
                if (checksJsonText) refuseWrongText(name, endpoint, result)
                return result
              },
              (error: unknown) => Promise.reject(withValidCurrent(endpoint, error)),
            )
          if (call.actor?.organizationId == null) return answer(endpoint, await work({}), reply)

          const scope = scopeOf(call.actor, { endpoint: name, isReadOnly: !endpoint.writes })
          const result = opensItself(endpoint)
            ? await work({
                inTenant: <T>(inner: (db: Database) => Promise<T>) => inTenant(pool, scope, inner),
              })
            : await inTenant(pool, scope, (db) => withOpenTransaction(() => work({ db })))
          return answer(endpoint, result, reply)
        },
      })
    if (endpoint.kind === 'raw') {
      app.register(async (scope) => {
        takeAnyBody(scope)
        put(scope)
      })
    } else put(app)
  }
}

function opensItself({ kind, outside }: Endpoint): boolean {
  return outside || !(kind === 'json' || kind === 'page' || kind === 'probe')
}

/** What a multipart body holds; a raw one is read by its handler. */
function readFiles({ kind }: Endpoint, request: FastifyRequest): ReturnType<typeof readUpload> | null {
  if (kind === 'raw') return null
  return kind === 'upload' ? readUpload(request) : refuseMultipart(request)
}

function readInput(endpoint: Endpoint, request: FastifyRequest, fields?: Record<string, string>): unknown {
  const given = requestInput(endpoint, request, fields)
  const unusable = findUnusable(given)
  if (unusable !== null) throw refused('Some fields are not right.', { [unusable.path]: unusable.sentence })
  const read = endpoint.input.safeParse(given, { error: sentenceOf })
  if (read.success) return read.data
  throw refused('Some fields are not right.', fieldSentences(read.error))
}

/** An answer that is not what the contract says is a bug: it throws before anything is committed. */
function validate(endpoint: Endpoint, result: unknown): unknown {
  const isData = ['json', 'upload', 'raw', 'probe'].includes(endpoint.kind)
  return isData ? endpoint.output.parse(result) : result
}

/** As above, and the text says nothing beyond the contract. */
function refuseWrongText(name: string, endpoint: Endpoint, { text }: JsonText<unknown>): void {
  const said: unknown = JSON.parse(text)
  if (isDeepStrictEqual(endpoint.output.parse(said), said)) return
  throw new Error(`The JSON of ${name} says more than its contract.`)
}

/** The row that a stale write is answered with is an answer, too. */
function withValidCurrent(endpoint: Endpoint, error: unknown): unknown {
  if (!(error instanceof Failure) || error.current === undefined) return error
  return new Failure(error.status, error.message, { current: endpoint.output.parse(error.current) })
}

function answer(endpoint: Endpoint, result: unknown, reply: FastifyReply): unknown {
  if (endpoint.isLater) void reply.code(202)
  switch (endpoint.kind) {
    case 'download':
    case 'report':
      return sendDownload(result, reply)
    case 'stream':
      return sendStream(result, endpoint, reply)
    case 'page':
      return reply.type('text/html; charset=utf-8').send(result)
    case 'probe':
      return result
    default:
      if (result instanceof JsonText) {
        return reply
          .type('application/json; charset=utf-8')
          .send(`{"status":true,"data":${result.text},"message":null}`)
      }
      return { status: true, data: result, message: null } satisfies Answer<unknown>
  }
}
