import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Idle connections are closed after this time, because each one holds a socket, a file or a database connection. */
const SILENCE_MS = 120_000
/** All headers must arrive within this time, even if they keep trickling in. */
const HEADERS_MS = 15_000
const CHECK_MS = 5_000

/**
 * Fastify options against slow clients. A body has no total time limit, because files take long on slow networks: it is
 * closed only when no data arrives.
 */
export function connectionLimits({ headersMs = HEADERS_MS, checkMs = CHECK_MS } = {}) {
  return {
    connectionTimeout: SILENCE_MS,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
  }
}

/**
 * When the server stops, Node closes connections whose request was answered and waits up to two minutes for the others.
 * Browsers keep spare connections without a request: this closes those too.
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
