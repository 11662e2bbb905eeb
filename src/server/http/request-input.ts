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

const DEEPEST = 32

/**
 * What no field may hold, with its path: the null character, which PostgreSQL cannot store, and values nested so deep
 * that only mischief nests them. Null when there is nothing of the kind.
 */
export function findUnusable(value: unknown): { path: string; sentence: string } | null {
  const open: { value: unknown; path: string[] }[] = [{ value, path: [] }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: found, path } = next
    const place = path.join('.') || 'body'
    if (typeof found === 'string' && found.includes('\u0000')) {
      return { path: place, sentence: 'The null character is not allowed.' }
    }
    if (typeof found !== 'object' || found === null) continue
    if (path.length >= DEEPEST) return { path: path[0] ?? 'body', sentence: 'This is nested too deep.' }
    for (const [key, inner] of Object.entries(found)) {
      if (key.includes('\u0000')) return { path: place, sentence: 'The null character is not allowed.' }
      open.push({ value: inner, path: [...path, key] })
    }
  }
  return null
}
