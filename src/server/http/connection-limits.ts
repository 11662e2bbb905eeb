import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

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

/**
 * When the server stops, Node closes connections whose request was answered and waits for all others, up to the two
 * minutes of silence above. Browsers keep spare connections on which they have asked nothing yet: those are closed too.
 */
export function closeWithoutWaiting(app: FastifyInstance): void {
  const waiting = new Set<Socket>()
  let isStopping = false
  const add = (socket: Socket): void => {
    if (isStopping) socket.destroy()
    else if (!socket.destroyed) waiting.add(socket)
  }
  app.server.on('connection', (socket: Socket) => {
    add(socket)
    socket.once('close', () => waiting.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => {
    waiting.delete(socket)
    response.once('close', () => add(socket))
  })
  app.addHook('preClose', async () => {
    isStopping = true
    for (const socket of waiting) socket.destroy()
    waiting.clear()
  })
}
