import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'

/**
 * What the caller sent as one value: path parameters over the body (POST) or the query (GET, DELETE, raw bodies). A body that is
 * no object, such as a bare token, stays what it is.
 */
export function requestInput(
  endpoint: Endpoint,
  request: FastifyRequest,
  fields?: Record<string, string>,
): unknown {
  const sent =
    fields ?? (endpoint.method === 'POST' && endpoint.kind !== 'raw' ? request.body : request.query)
  if (sent === undefined || sent === null) return isRecord(request.params) ? { ...request.params } : {}
  if (!isRecord(sent)) return sent
  return isRecord(request.params) ? { ...sent, ...request.params } : { ...sent }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const DEEPEST = 32
type Unusable = { path: string; sentence: string }
type Found = { keys: string[]; sentence: string }

/**
 * What no field may hold, with its path: the null character and halves of characters, which PostgreSQL cannot store,
 * and values nested so deep that only mischief nests them. Null when there is nothing of the kind.
 */
export function findUnusable(value: unknown): Unusable | null {
  const found = search(value, 0)
  return found && { path: found.keys.toReversed().join('.') || 'body', sentence: found.sentence }
}

// The path is put together on the way back only: most bodies have nothing to tell, and some are long.
function search(value: unknown, depth: number): Found | null {
  if (typeof value === 'string') return unusableText(value)
  if (typeof value !== 'object' || value === null) return null
  if (depth >= DEEPEST) return { keys: [], sentence: 'This is nested too deep.' }
  for (const key in value) {
    const wrongKey = unusableText(key)
    if (wrongKey !== null) return wrongKey
    const found = search(Reflect.get(value, key), depth + 1)
    if (found !== null) return { ...found, keys: [...found.keys, key] }
  }
  return null
}

function unusableText(text: string): Found | null {
  if (text.includes('\u0000')) return { keys: [], sentence: 'The null character is not allowed.' }
  return text.isWellFormed() ? null : { keys: [], sentence: 'This holds half a character.' }
}
