import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint's name in the contract, such as `lots.update`. */
    endpoint?: string
  }
}

/** One request for metrics and the log. It includes neither the URL nor any content. */
export type RequestSummary = {
  method: string
  endpoint: string
  status: number
  seconds: number
  requestId: string
}

/** Reports every request once its response is sent. */
export function watchRequests(app: FastifyInstance, onRequest: (request: RequestSummary) => void): void {
  app.addHook('onResponse', async (request, reply) => onRequest(summarize(request, reply)))
}

/**
 * Logs once that a proxy isn't trusted: all visitors then have its address, and share the limits of one. Call this before
 * anything else handles requests.
 */
export function warnOfProxies(app: FastifyInstance): void {
  let isSaid = false
  app.addHook('onRequest', async (request) => {
    const { remoteAddress } = request.socket
    // From a proxy that is trusted, the address is the one that it names.
    if (isSaid || request.headers['x-forwarded-for'] === undefined || request.ip !== remoteAddress) return
    isSaid = true
    app.log.error(
      { address: remoteAddress },
      'A request names the address it was forwarded for, but its sender is not trusted. If that is your proxy, set TRUST_PROXY: until then all visitors count as one, and share the limits of sign-in and public forms (docs/deployment.md).',
    )
  })
}

/** Writes one line of JSON for each request. */
export function logRequests(app: FastifyInstance): (request: RequestSummary) => void {
  // The main logger keeps its level: errors only.
  const log = app.log.child({}, { level: 'info' })
  return ({ seconds, ...request }) =>
    log.info({ ...request, ms: Math.round(seconds * 10_000) / 10 }, 'request')
}

function summarize(request: FastifyRequest, reply: FastifyReply): RequestSummary {
  return {
    method: request.method,
    // A fixed label for everything else, so that clients cannot create labels with made-up URLs.
    endpoint: request.routeOptions.config.endpoint ?? (request.is404 ? 'none' : 'web'),
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
    requestId: request.id,
  }
}
