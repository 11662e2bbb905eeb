import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_FAILURE, type Refusal } from '#contract/answer.ts'
import { isContention, isDatabaseAway, isDatabaseFull, isTooSlow } from '#server/database/faults.ts'
import { codeOf } from '#server/error-code.ts'
import { conflict, Failure, NOT_JSON, noRoom, refused, statusOf, unavailable } from './failure.ts'

/** The largest JSON body. Files travel as uploads and have limits of their own. */
export const BODY_LIMIT = 1_048_576

/** Turns everything that was thrown into the one answer object. What was not expected is a bug: logged, and 500. */
export function installErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = asFailure(error)
  if (failure === null) request.log.error({ err: error, requestId: request.id }, 'unexpected error')
  // No bug, but somebody has to make room.
  if (isFull(error)) request.log.error({ err: error, requestId: request.id }, 'no room left')
  const { status, message, fields, current, retryAfterSeconds } = failure ?? new Failure(500, DEFAULT_FAILURE)
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({
      status: false,
      data: null,
      message,
      ...(fields && { fields }),
      ...(current !== undefined && { current }),
    } satisfies Refusal)
}

/** No call and no page has this address. */
export const nothingHere = () => new Failure(404, 'There is nothing at this address.')

const UNREADABLE = '/api/unreadable-address'

/**
 * Sends an address that cannot be decoded to where nothing is: the router would answer it before any hook, without
 * security headers and in words of its own.
 */
export function readableUrl(url: string): string {
  try {
    decodeURIComponent(url.split('?')[0] ?? '')
    return url
  } catch {
    return UNREADABLE
  }
}

/** What an address without call, file or page is answered. */
export function refuseAddress(request: FastifyRequest): never {
  throw request.url === UNREADABLE ? refused('The address of the request is not readable.') : nothingHere()
}

/** Null: not an expected failure. */
function asFailure(error: unknown): Failure | null {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Failure(413, 'The request is larger than this call takes.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Failure(415, NOT_JSON)
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return nothingHere()
  if (code.startsWith('FST_ERR_CTP') || (error instanceof SyntaxError && statusOf(error) === 400))
    return refused('The request body is not readable as JSON.')
  if (isContention(error)) return conflict('Somebody else is changing the same data right now. Try again.')
  if (isDiskFull(error)) return noRoom()
  if (isTooSlow(error) || isDatabaseAway(error)) return unavailable()
  const status = statusOf(error)
  return status >= 400 && status < 500 ? new Failure(status, 'The request is not readable.') : null
}

const isFull = (error: unknown): boolean => isDiskFull(error) || isDatabaseFull(error)

/** A disk of this process; the database says it in its own way. */
const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
