import type { FastifyInstance } from 'fastify'
import { hasTooManyValues, JSON_REFUSALS } from '../threads/parse-json.ts'
import { refused } from './failure.ts'

/**
 * Some clients send a JSON content type with an empty body, often with DELETE: treat it as no body, not as invalid JSON. A
 * body with very many values is rejected before it is parsed, because everyone else would wait.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const readJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString()
    if (text === '') done(null, undefined)
    else if (hasTooManyValues(text)) done(refused(JSON_REFUSALS['large json']))
    else void readJson(request, text, done)
  })
}
