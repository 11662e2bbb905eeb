import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '#server/http/failure.ts'
import { awayDocument, closedDocument } from '#public/away-page.ts'
import { FORM_LIMIT, readFormFields } from './form-limit.ts'
import { notSent, visitorLanguage } from './not-sent.ts'

const POLICY = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
/** A form that takes longer to arrive is not shown again. */
const BODY_MS = 10_000

/**
 * Answers a request whose host can't be looked up: it could be a public site or the back office, so it gets nothing of either.
 * @throws Failure 503 for programs, which want JSON
 */
export async function answerAway(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { raw, url, method } = request
  const isForm = method === 'POST' && /^\/f\/[^/]*$/.test(url.split('?')[0] ?? '')
  if (!isForm && !/\btext\/html\b/.test(request.headers.accept ?? '')) throw unavailable()
  const fields = isForm ? await readFields(request) : null
  const language = visitorLanguage(request, fields)
  // What was not read would keep the connection from being used again.
  if (!raw.readableEnded && (method === 'POST' || method === 'PUT')) void reply.header('connection', 'close')
  const lost = fields === null ? null : notSent(url, { fields, hasFiles: false })
  return sendPlain(reply.code(503).header('retry-after', '5'), awayDocument({ language, notSent: lost }))
}

/** Answers every request on the public host of a suspended customer: nothing of its site, and nothing of the back office. */
export function answerClosed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!request.raw.readableEnded) void reply.header('connection', 'close')
  return sendPlain(reply.code(404), closedDocument(visitorLanguage(request, null)))
}

function sendPlain(reply: FastifyReply, document: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .send(document)
}

/** The fields of a form without files; null if it can't be read. */
async function readFields({ raw, headers }: FastifyRequest): Promise<URLSearchParams | null> {
  const type = headers['content-type'] ?? ''
  const isSmall = Number(headers['content-length'] ?? FORM_LIMIT + 1) <= FORM_LIMIT
  if (!type.startsWith('application/x-www-form-urlencoded') || !isSmall) return null
  const timer = setTimeout(() => raw.destroy(), BODY_MS)
  try {
    return readFormFields(await textOf(raw))
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

async function textOf(raw: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of raw) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString()
}
