import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's name of the call, for instance `lots.update`. */
    endpoint?: string
  }
}

/** One request as it is counted and logged. Neither its address nor anything it carries. */
export type Seen = { method: string; endpoint: string; status: number; seconds: number; requestId: string }

/** Tells of every request when its answer has left. */
export function watchRequests(app: FastifyInstance, onSeen: (seen: Seen) => void): void {
  app.addHook('onResponse', async (request, reply) => onSeen(seenOf(request, reply)))
}

/** Writes one line of JSON for each request. */
export function logRequests(app: FastifyInstance): (seen: Seen) => void {
  // The product's other lines stay as they are: errors alone.
  const log = app.log.child({}, { level: 'info' })
  return ({ seconds, ...seen }) => log.info({ ...seen, ms: Math.round(seconds * 10_000) / 10 }, 'request')
}

function seenOf(request: FastifyRequest, reply: FastifyReply): Seen {
  return {
    method: request.method,
    // What is no call is a file of the web pages, or nothing: strangers must not make up names.
    endpoint: request.routeOptions.config.endpoint ?? (request.is404 ? 'none' : 'web'),
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
    requestId: request.id,
  }
}
