import { once } from 'node:events'
import { createServer } from 'node:https'
import type { makeCertificate } from './certificate.ts'

/** An HTTPS server of its own that keeps files in memory; whoever trusts its certificate fetches them. */
export type FakeHttpsServer = {
  port: number
  files: Map<string, string>
  /** Who asked, as the `authorization` of each request. */
  asked: (string | undefined)[]
  close: () => Promise<void>
}

/** @param password of everybody, by Basic; null: nobody is asked. */
export async function startFakeHttpsServer(
  certificate: ReturnType<typeof makeCertificate>,
  password: string | null = null,
): Promise<FakeHttpsServer> {
  const files: FakeHttpsServer['files'] = new Map()
  const asked: FakeHttpsServer['asked'] = []
  const server = createServer(certificate, (request, response) => {
    const { authorization } = request.headers
    asked.push(authorization)
    const [, given = ''] = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64')
      .toString()
      .split(':')
    if (password !== null && given !== password) return response.writeHead(401).end()
    const file = files.get(request.url ?? '')
    return file === undefined ? response.writeHead(404).end() : response.end(file)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    files,
    asked,
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  }
}
