import { once } from 'node:events'
import { createServer } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { makeCertificate } from './certificate.ts'

export type WebhookCall = { path: string; headers: IncomingHttpHeaders; body: string }

/** What the receiver responds to a call. */
export type WebhookAnswer = { status: number; text?: string; location?: string }

/** A local HTTPS server that receives webhooks. Clients must trust its certificate. */
export type FakeWebhookReceiver = {
  /** `https://localhost:1234` */
  origin: string
  calls: WebhookCall[]
  /** Decides the response by path; 200 without one. */
  answers: Map<string, () => WebhookAnswer | Promise<WebhookAnswer>>
  close: () => Promise<void>
}

export async function startFakeWebhookReceiver(
  certificate: ReturnType<typeof makeCertificate>,
): Promise<FakeWebhookReceiver> {
  const calls: FakeWebhookReceiver['calls'] = []
  const answers: FakeWebhookReceiver['answers'] = new Map()
  const server = createServer(certificate, (request, response) => {
    void (async () => {
      const body = await text(request)
      const path = request.url ?? ''
      calls.push({ path, headers: request.headers, body })
      const { status, text: sent, location } = (await answers.get(path)?.()) ?? { status: 200 }
      response.writeHead(status, { ...(location !== undefined && { location }) }).end(sent)
    })().catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    origin: `https://localhost:${port}`,
    calls,
    answers,
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  }
}
