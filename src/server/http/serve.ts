import { z } from 'zod'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Answer } from '#contract/answer.ts'
import { isRepeatable } from '#contract/repeatable-calls.ts'
import { fieldSentences, sentenceOf } from '#contract/field-sentences.ts'
import {
  type Allow,
  type Contract,
  type Domain,
  type Endpoint,
  type NamedEndpoint,
  type Received,
  type Returned,
  listEndpoints,
} from '#contract/endpoint.ts'
import { OUTSIDE, type Outside } from '#server/database/outside-transaction.ts'
import { inTenant, type Database, type TenantScope } from '#server/database/tenant-transaction.ts'
import { withOpenTransaction } from '#server/outside/open-transaction.ts'
import type { Actor, Member, Participant, Visit } from './actor.ts'
import { isDiskFull } from '#server/error-code.ts'
import { Failure, forbidden, refused, storageFull } from './failure.ts'
import { JsonText } from './json-text.ts'
import {
  discardRemainingBody,
  readRaw,
  readUpload,
  refuseMultipart,
  sendDownload,
  sendStream,
  acceptAnyBody,
  Download,
  type RawBody,
  type Upload,
} from './kinds.ts'
import { once, onceOutside, repeatableCall } from './repeated-calls.ts'
import { findUnusable, requestInput } from './request-input.ts'
import { participantScope, scopeOf } from './scope-of.ts'

/** What a handler receives. It never sees a request, a reply, a header or the response envelope. */
export type Context<E extends Endpoint> = { input: Received<E>; visit: Visit } & ByAllow<E['allow'], E> &
  ByKind<E['kind']>

type ByAllow<A extends Allow, E extends Endpoint> = A extends 'anyone'
  ? { actor: null; outside: Outside }
  : A extends 'session' | 'verified'
    ? { actor: Actor; outside: Outside }
    : { actor: A extends 'participant' ? Participant : Member } & Tenant<E>

/** A handler that streams or calls another server opens its own transactions, around its statements only. */
type Tenant<E extends Endpoint> = E['outside'] extends true
  ? OwnTransactions
  : E['kind'] extends 'json' | 'page' | 'probe'
    ? { db: Database }
    : OwnTransactions
type OwnTransactions = { inTenant: InTenant; inTenantOnce: InTenantOnce; outside: Outside }
/** The transaction that does what the call asks for: a call that is sent again, also at once, gets the first answer. */
type InTenantOnce = <T>(work: (db: Database) => Promise<T | JsonText<T>>) => Promise<T | JsonText<T>>
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
/** One handler for every endpoint. A missing one does not compile. */
export type AllHandlers<C extends Contract> = { [K in keyof C]: Handlers<C[K]> }

export type Mechanisms = {
  pool: pg.Pool
  visit: (request: FastifyRequest, reply: FastifyReply) => Visit
  /** Identifies the caller. @throws Failure 401 or 403 */
  authenticate: (visit: Visit, called: NamedEndpoint) => Promise<Actor>
  /** Identifies a participant of an assessment. @throws Failure 401 */
  authenticateParticipant: (visit: Visit) => Promise<Participant>
  /** Logs that a call of an authenticated caller was refused. */
  noteRefusal: (actor: Actor | Participant, call: { endpoint: string; error: unknown }) => Promise<void>
  /** Counts a secret link that doesn't work. @returns the error to answer with instead of 404, if there were too many */
  countGuess: (ip: string) => Failure | null
  /** Logs that a caller without an account reached a limit. `params`: of the path, unchecked. */
  noteStranger: (
    visit: Visit,
    call: { endpoint: string; params: unknown; message: string; isGuess: boolean },
  ) => Promise<void>
  /** Logs that a caller takes a file out. */
  noteDownload: (actor: Actor | Participant, taken: { endpoint: string; name: string }) => Promise<void>
  /** Also validates `JsonText` responses against the contract. Only tests turn this on. */
  checksJsonText?: boolean | undefined
}

/** In bytes: enough for a token and a form. */
const ANONYMOUS_BODY_LIMIT = 32_768

type LooseContext = Record<string, unknown>
type Call = { visit: Visit; actor: Actor | Participant | null }

/** Adds a route for every endpoint of the contract. No other API routes exist. */
export function serve<C extends Contract>(
  app: FastifyInstance,
  contract: C,
  handlers: AllHandlers<C>,
  mechanisms: Mechanisms,
): void {
  const { pool, visit, noteDownload, checksJsonText = false } = mechanisms
  const calls = new WeakMap<FastifyRequest, Call>()
  /** What guesses of links are answered with once there were too many. */
  const guesses = new WeakSet<Error>()
  noteErrors(app, mechanisms, { calls, guesses })
  const limitGuesses = ({ isSecretLink }: Endpoint, { ip }: Visit, error: unknown): unknown => {
    const isGuess = isSecretLink && error instanceof Failure && error.status === 404
    const limit = isGuess ? mechanisms.countGuess(ip) : null
    if (limit !== null) guesses.add(limit)
    return limit ?? error
  }
  for (const { name, endpoint } of listEndpoints(contract)) {
    const [domain = '', key = ''] = name.split('.')
    // The only place that drops the handlers' types: `AllHandlers` has checked each against its endpoint.
    const handler = (handlers as Record<string, Record<string, (context: LooseContext) => Promise<unknown>>>)[
      domain
    ]?.[key]
    if (handler === undefined) throw new Error(`${name} has no handler.`)

    const addRoute = (on: FastifyInstance) =>
      on.route({
        method: endpoint.method,
        config: { endpoint: name },
        // This body is read before the caller is identified.
        ...(endpoint.allow === 'anyone' && { bodyLimit: ANONYMOUS_BODY_LIMIT }),
        // Their handlers read the body as it was sent. Something else that reads it, too, would stop it when no one reads that.
        ...((endpoint.kind === 'upload' || endpoint.kind === 'raw') && { decompress: false as const }),
        url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
        // Before the body is read: an anonymous caller's ten megabytes are not worth parsing, and 401 comes before 400.
        onRequest: async (request, reply) => {
          const visitor = visit(request, reply)
          const actor = await identify(mechanisms, visitor, { name, endpoint })
          if (endpoint.writes && request.headers['sec-fetch-site'] === 'cross-site') {
            throw forbidden('Requests from other sites are not allowed.')
          }
          calls.set(request, { visit: visitor, actor })
        },
        handler: async (request, reply) => {
          const call = calls.get(request)
          if (call === undefined) throw new Error('The request was not authenticated.')
          if (endpoint.kind === 'upload' || endpoint.kind === 'raw') discardRemainingBody(request, reply)
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
                if (checksJsonText) validateJsonText(name, endpoint, result)
                return result
              },
              (error: unknown) =>
                Promise.reject(limitGuesses(endpoint, call.visit, withValidCurrent(endpoint, error))),
            )
          const send = async (result: unknown) => {
            if (call.actor !== null && result instanceof Download && result.isTaken)
              await noteDownload(call.actor, { endpoint: name, name: result.name })
            else if (call.actor !== null && endpoint.takesOut !== undefined)
              await noteDownload(call.actor, { endpoint: name, name: endpoint.takesOut })
            return answer(endpoint, result, reply)
          }
          const scope = tenantOf(call.actor, { endpoint: name, isReadOnly: !endpoint.writes })
          if (scope === null || call.actor === null) return send(await work({ outside: OUTSIDE }))
          const repeatable = isRepeatable(endpoint)
            ? repeatableCall(request.headers, { actor: call.actor, endpoint: name, input: context.input })
            : null
          const inScope = <T>(inner: (db: Database) => Promise<T>) => inTenant(pool, scope, inner)
          const inScopeOnce: InTenantOnce = (inner) => inScope((db) => once(db, repeatable, () => inner(db)))
          const result = opensOwnTransactions(endpoint)
            ? await onceOutside(inScope, repeatable, () =>
                work({ outside: OUTSIDE, inTenant: inScope, inTenantOnce: inScopeOnce }),
              )
            : await inScope((db) => withOpenTransaction(() => once(db, repeatable, () => work({ db }))))
          return send(result)
        },
      })
    if (endpoint.kind === 'raw') {
      app.register(async (scope) => {
        acceptAnyBody(scope)
        addRoute(scope)
      })
    } else addRoute(app)
  }
  refuseOtherMethods(app, contract)
}

/** Logs refused calls of users, and limits that strangers reached. */
function noteErrors(
  app: FastifyInstance,
  { noteRefusal, noteStranger }: Mechanisms,
  { calls, guesses }: { calls: WeakMap<FastifyRequest, Call>; guesses: WeakSet<Error> },
): void {
  app.addHook('onError', async (request, _reply, error) => {
    const call = calls.get(request)
    const { endpoint } = request.routeOptions.config
    if (call === undefined || endpoint === undefined) return
    const { actor, visit } = call
    if (actor !== null) await noteRefusal(actor, { endpoint, error })
    else if (isDiskFull(error) || (error instanceof Failure && error.status === 429)) {
      const { message } = isDiskFull(error) ? storageFull() : error
      const { params } = request
      await noteStranger(visit, { endpoint, params, message, isGuess: guesses.has(error) })
    }
  })
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Answers a known path that is called with another method with 405 and the methods it has, as RFC 9110 asks. */
function refuseOtherMethods(app: FastifyInstance, contract: Contract): void {
  const taken = Map.groupBy(listEndpoints(contract), ({ endpoint }) =>
    endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
  )
  for (const [url, entries] of taken) {
    const own = entries.map(({ endpoint }): string => endpoint.method)
    app.route({
      method: METHODS.filter((method) => !own.includes(method)),
      url,
      config: { endpoint: 'none' },
      onRequest: async (request, reply) => {
        void reply.header('allow', own.join(', '))
        throw new Failure(405, `This address takes ${own.join(' and ')}, not ${request.method}.`)
      },
      handler: async () => null,
    })
  }
}

/** The caller of an endpoint; null if anyone may call it. @throws Failure 401 or 403 */
async function identify(
  { authenticate, authenticateParticipant }: Mechanisms,
  visit: Visit,
  called: NamedEndpoint,
): Promise<Call['actor']> {
  const { allow } = called.endpoint
  if (allow === 'anyone') return null
  return allow === 'participant' ? authenticateParticipant(visit) : authenticate(visit, called)
}

/** The tenant of a caller; null without an organization. */
function tenantOf(actor: Call['actor'], work: { endpoint: string; isReadOnly: boolean }): TenantScope | null {
  if (actor?.organizationId == null) return null
  return 'participantId' in actor ? participantScope(actor, work) : scopeOf(actor, work)
}

function opensOwnTransactions({ kind, outside }: Endpoint): boolean {
  return outside || !(kind === 'json' || kind === 'page' || kind === 'probe')
}

/** The content of a multipart body. Raw bodies are read by their handler. */
function readFiles({ kind }: Endpoint, request: FastifyRequest): ReturnType<typeof readUpload> | null {
  if (kind === 'raw') return null
  return kind === 'upload' ? readUpload(request) : refuseMultipart(request)
}

function readInput(endpoint: Endpoint, request: FastifyRequest, fields?: Record<string, string>): unknown {
  const sent = requestInput(endpoint, request, fields)
  const invalid = findUnusable(sent)
  if (invalid !== null) throw refused('Some fields are invalid.', { [invalid.path]: invalid.sentence })
  const read = endpoint.input.safeParse(sent, { error: sentenceOf, reportInput: true })
  if (read.success) return read.data
  throw refused('Some fields are invalid.', fieldSentences(read.error))
}

/** A response that does not match the contract is a bug: this throws before anything is committed. */
function validate(endpoint: Endpoint, result: unknown): unknown {
  const isData = ['json', 'upload', 'raw', 'probe'].includes(endpoint.kind)
  return isData ? endpoint.output.parse(result) : result
}

/** Like `validate`, and also rejects fields that the contract does not have. */
function validateJsonText(name: string, endpoint: Endpoint, { text }: JsonText<unknown>): void {
  const value: unknown = JSON.parse(text)
  if (isDeepStrictEqual(endpoint.output.parse(value), value)) return
  throw new Error(`The JSON of ${name} has fields that its contract does not have.`)
}

/** The current row in the answer to a stale write must match the contract too, and what a call would change. */
function withValidCurrent(endpoint: Endpoint, error: unknown): unknown {
  if (!(error instanceof Failure)) return error
  const { status, message, current, preview } = error
  if (preview !== undefined)
    return new Failure(status, message, { preview: (endpoint.preview ?? z.never()).parse(preview) })
  if (current === undefined) return error
  return new Failure(status, message, { current: (endpoint.current ?? endpoint.output).parse(current) })
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
