/** A line on which nothing moves for so long is closed: a silent caller holds a socket, a file or a connection. */
const SILENCE_MS = 120_000
/** All headers must be there after so long, however often a line of them comes; looked at every so often. */
const HEADERS_MS = 15_000
const CHECK_MS = 5_000

/**
 * Options of Fastify against callers who hold connections. A body has no such limit: files take long on slow lines, and
 * are closed only when nothing moves.
 */
export function connectionLimits({ headersMs = HEADERS_MS, checkMs = CHECK_MS } = {}) {
  return {
    connectionTimeout: SILENCE_MS,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
  }
}
