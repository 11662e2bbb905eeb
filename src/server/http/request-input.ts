import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'

/**
 * The request's input as one value: path parameters merged over the body (POST) or the query (GET, DELETE, raw bodies). A
 * body that is not an object, such as a bare token, is returned unchanged.
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

const MAX_DEPTH = 32
type InvalidValue = { path: string; sentence: string }
type Match = { keys: string[]; sentence: string }

/**
 * The first value that no field may contain, with its path: null characters and unpaired surrogates, which PostgreSQL
 * cannot store, and values nested deeper than any real form. Null if there is none.
 */
export function findUnusable(value: unknown): InvalidValue | null {
  const found = findIn(value, 0)
  return found && { path: found.keys.toReversed().join('.') || 'body', sentence: found.sentence }
}

// The path is built only when something was found, because most bodies are fine and some are long.
function findIn(value: unknown, depth: number): Match | null {
  if (typeof value === 'string') return checkText(value)
  if (typeof value !== 'object' || value === null) return null
  if (depth >= MAX_DEPTH) return { keys: [], sentence: 'This is nested too deeply.' }
  for (const key in value) {
    const wrongKey = checkText(key)
    if (wrongKey !== null) return wrongKey
    const found = findIn(Reflect.get(value, key), depth + 1)
    if (found !== null) return { ...found, keys: [...found.keys, key] }
  }
  return null
}

function checkText(text: string): Match | null {
  if (text.includes('\u0000')) return { keys: [], sentence: 'The null character is not allowed.' }
  return text.isWellFormed() ? null : { keys: [], sentence: 'This contains an incomplete character.' }
}
