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

/** What it does to the next mails: documented errors, or a connection that goes wrong. */
export type PostmarkMood =
  | 'well'
  | 'inactive recipient'
  | 'invalid mail'
  | 'unknown sender'
  | 'too many'
  | 'down'
  | 'hangs'
  | 'closes half-way'

/** Postmark as documented (developer documentation, "Email API" and "API error codes"), over a real connection. */
export type FakePostmarkServer = {
  url: string
  /** The token it takes. */
  token: string
  taken: (z.infer<typeof Mail> & { MessageID: string })[]
  mood: PostmarkMood
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
    taken: [],
    mood: 'well',
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
    if (state.mood === 'hangs') return
    if (state.mood === 'closes half-way') {
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
    if (state.mood !== 'well') {
      const [status, ErrorCode, Message] = ERRORS[state.mood]
      return reply(response, status, { ErrorCode, Message })
    }
    const MessageID = crypto.randomUUID()
    state.taken.push({ ...mail, MessageID })
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
