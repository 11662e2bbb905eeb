import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Idle connections are closed after this time, because each one holds a socket, a file or a database connection. */
const SILENCE_MS = 120_000
/** All headers must arrive within this time, even if they keep trickling in. */
const HEADERS_MS = 15_000
const CHECK_MS = 5_000

/** A body without files must arrive within this time: 1 MB on a bad mobile connection takes less. */
const BODY_MS = 60_000
/** A form with files must, too, but may have ten files of 10 MB. */
const FILES_MS = 900_000

/**
 * Fastify options against slow clients. The connection of an upload is closed when no data arrives; other bodies also have a
 * total time (`limitBodyTime`).
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

/**
 * Ends a request whose body keeps trickling in. `onLate` answers it; the connection is closed after that.
 * `hasLongBody`: uploads, which are limited by silence only.
 */
export function limitBodyTime(
  app: FastifyInstance,
  {
    hasLongBody = () => false,
    onLate,
    bodyMs = BODY_MS,
    filesMs = FILES_MS,
  }: {
    hasLongBody?: (request: FastifyRequest) => boolean
    onLate: (request: FastifyRequest, reply: FastifyReply) => void
    bodyMs?: number
    filesMs?: number
  },
): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw, headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (!hasBody || hasLongBody(request)) return
    const isMultipart = (headers['content-type'] ?? '').startsWith('multipart/')
    const timer = setTimeout(
      () => {
        if (raw.complete || raw.destroyed) return
        void reply.header('connection', 'close')
        reply.raw.once('finish', () => raw.destroy())
        if (!reply.sent) onLate(request, reply)
        else raw.destroy()
      },
      isMultipart ? filesMs : bodyMs,
    ).unref()
    const end = (): void => clearTimeout(timer)
    raw.once('end', end).once('close', end)
  })
}
