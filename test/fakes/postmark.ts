import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { clock } from '#server/clock.ts'

const Mail = z.looseObject({
  From: z.string(),
  To: z.string(),
  Subject: z.string(),
  TextBody: z.string(),
  HtmlBody: z.string().optional(),
  ReplyTo: z.string().optional(),
  MessageStream: z.string(),
  TrackLinks: z.string(),
})

/** How it responds to the next emails: documented errors, or a broken connection. */
export type PostmarkBehavior =
  | 'ok'
  | 'inactive recipient'
  | 'invalid mail'
  | 'unknown sender'
  | 'too many'
  | 'down'
  | 'hangs'
  | 'closes half-way'

/** A local server that behaves like Postmark's documentation ("Email API" and "API error codes"). */
export type FakePostmarkServer = {
  url: string
  /** The accepted token. */
  token: string
  emails: (z.infer<typeof Mail> & { MessageID: string })[]
  behavior: PostmarkBehavior
  close: () => Promise<void>
}

const ERRORS = {
  'inactive recipient': [422, 406, 'You tried to send to a recipient that has been marked as inactive.'],
  'invalid mail': [422, 300, "Invalid 'To' address."],
  'unknown sender': [422, 400, 'The sender signature was not found.'],
  'too many': [429, 429, 'Rate limit exceeded.'],
  down: [500, 100, 'Maintenance.'],
} as const

export async function startFakePostmarkServer(): Promise<FakePostmarkServer> {
  const state: FakePostmarkServer = {
    url: '',
    token: 'server-token-of-a-test',
    emails: [],
    behavior: 'ok',
    close: closed,
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  state.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return state

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (state.behavior === 'hangs') return
    if (state.behavior === 'closes half-way') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"To":"som')
      setTimeout(() => response.destroy(), 20)
      return
    }
    if (request.headers['x-postmark-server-token'] !== state.token) {
      return reply(response, 401, {
        ErrorCode: 10,
        Message: 'Request does not contain a valid Server token.',
      })
    }
    if (request.method !== 'POST' || request.url !== '/email') return reply(response, 404, {})
    const mail = Mail.parse(JSON.parse(body))
    if (state.behavior !== 'ok') {
      const [status, ErrorCode, Message] = ERRORS[state.behavior]
      return reply(response, status, { ErrorCode, Message })
    }
    const MessageID = crypto.randomUUID()
    state.emails.push({ ...mail, MessageID })
    reply(response, 200, {
      To: mail.To,
      SubmittedAt: clock.date().toISOString(),
      MessageID,
      ErrorCode: 0,
      Message: 'OK',
    })
  }

  function reply(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  function closed(): Promise<void> {
    server.closeAllConnections()
    return new Promise((done) => server.close(() => done()))
  }
}
