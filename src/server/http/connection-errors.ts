import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { STATUS_CODES } from 'node:http'
import type { Refusal } from '#contract/answer.ts'
import { codeOf } from '#server/error-code.ts'
import { Failure, refused } from './failure.ts'

/** Fastify options that let us replace the default responses of Fastify and Node. */
export const connectionErrorOptions = {
  clientErrorHandler: answerBrokenRequest,
  return503OnClosing: false,
} as const

/** Answers with our envelope where Fastify or Node would send their own text. */
export function installConnectionErrors(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', async (request) => {
    if (isStopping) {
      const sentence = 'The server is shutting down. Try again in a few seconds.'
      throw new Failure(503, sentence, { retryAfterSeconds: 5 })
    }
    // RFC 9112, section 3.2.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw refused('The request has no Host header.')
    }
  })
  // Node would answer with an empty body. Fastify's `http` options do not include this one.
  Reflect.set(app.server, 'requireHostHeader', false)
  app.server.on('checkExpectation', (_request, response) => {
    const body = bodyOf('The Expect header of the request is not supported.')
    response
      .writeHead(417, { ...JSON_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' })
      .end(body)
  })
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** Requests that are not valid HTTP never reach a route. */
function answerBrokenRequest(error: Error, socket: Socket): void {
  if (codeOf(error) === 'ECONNRESET' || socket.destroyed) return
  const [status, sentence] = REFUSALS[codeOf(error)] ?? [400, 'The request is not valid HTTP.']
  const body = bodyOf(sentence)
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${JSON_TYPE['content-type']}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}

const REFUSALS: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL and headers of the request are longer than 16 KB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'A chunk extension of the request is too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}

const bodyOf = (message: string): string =>
  JSON.stringify({ status: false, data: null, message } satisfies Refusal)
