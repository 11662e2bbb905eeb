import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'

/**
 * What the caller sent as one value: path parameters over the body (POST) or the query (GET, DELETE). A body that is
 * no object, such as a bare token, stays what it is.
 */
export function requestInput(
  endpoint: Endpoint,
  request: FastifyRequest,
  fields?: Record<string, string>,
): unknown {
  const sent = fields ?? (endpoint.method === 'POST' ? request.body : request.query)
  if (sent === undefined || sent === null) return isRecord(request.params) ? { ...request.params } : {}
  if (!isRecord(sent)) return sent
  return isRecord(request.params) ? { ...sent, ...request.params } : { ...sent }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The path of the first text with a null character, which PostgreSQL cannot store; null when there is none. */
export function findNullCharacter(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return value.includes('\u0000') ? path || 'body' : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('\u0000')) return path || 'body'
    const found = findNullCharacter(inner, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}
