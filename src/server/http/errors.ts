import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_FAILURE, type Refusal } from '#contract/answer.ts'
import { isContention, isDatabaseUnavailable, isDatabaseFull, isTooSlow } from '#server/database/faults.ts'
import { explainViolation, isArchivedOrganization } from '#server/database/violations.ts'
import { codeOf, isDiskFull } from '#server/error-code.ts'
import { conflict, Failure, NOT_JSON, storageFull, refused, statusOf, unavailable } from './failure.ts'

/** The largest JSON body, in bytes. File uploads have their own limits. */
export const BODY_LIMIT = 1_048_576

/** Turns every thrown error into the response envelope. Unexpected errors are bugs: they are logged and answered with 500. */
export function installErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = asFailure(error)
  if (failure === null) request.log.error({ err: error, requestId: request.id }, 'unexpected error')
  // The caller gets an explanation; the handler should have a better one.
  if (explainViolation(error) !== null && !isArchivedOrganization(error))
    request.log.error({ err: error, requestId: request.id }, 'constraint without a message')
  // Not a bug, but an operator has to free up space.
  if (isFull(error)) request.log.error({ err: error, requestId: request.id }, 'disk full')
  const { status, message, fields, current, preview, retryAfterSeconds } =
    failure ?? new Failure(500, DEFAULT_FAILURE)
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
      ...(preview !== undefined && { preview }),
    } satisfies Refusal)
}

/** No endpoint or page has this address. */
export const addressNotFound = () => new Failure(404, 'There is nothing at this address.')

const UNREADABLE = '/api/unreadable-address'

/**
 * Replaces a URL that cannot be decoded with one that has no route: the router would answer it before any hook, without
 * security headers and with its own text.
 */
export function readableUrl(url: string): string {
  try {
    decodeURIComponent(url.split('?')[0] ?? '')
    return url
  } catch {
    return UNREADABLE
  }
}

/** Answers an address that has no endpoint, file or page. */
export function refuseAddress(request: FastifyRequest): never {
  throw request.url === UNREADABLE ? refused('The URL of the request cannot be decoded.') : addressNotFound()
}

/** @returns null for an unexpected error. */
function asFailure(error: unknown): Failure | null {
  if (error instanceof Failure) return error
  if (isArchivedOrganization(error))
    return conflict('This organization is archived. Restore it before you add anything to it.')
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Failure(413, 'The request body is too large.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Failure(415, NOT_JSON)
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return addressNotFound()
  if (code.startsWith('FST_ERR_CTP') || (error instanceof SyntaxError && statusOf(error) === 400))
    return refused('The request body is not valid JSON.')
  if (isContention(error)) return conflict('Someone else is changing the same data right now. Try again.')
  if (isDiskFull(error)) return storageFull()
  if (isTooSlow(error) || isDatabaseUnavailable(error)) return unavailable()
  const violation = explainViolation(error)
  if (violation !== null) {
    const { status, sentence, field } = violation
    return new Failure(status, sentence, field === null ? {} : { fields: { [field]: sentence } })
  }
  const status = statusOf(error)
  return status >= 400 && status < 500 ? new Failure(status, 'The request is not valid.') : null
}

const isFull = (error: unknown): boolean => isDiskFull(error) || isDatabaseFull(error)
