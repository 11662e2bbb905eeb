import { once } from 'node:events'
import { createServer } from 'node:https'
import type { makeCertificate } from './certificate.ts'

/** A local HTTPS server with files in memory. Clients must trust its certificate. */
export type FakeHttpsServer = {
  port: number
  files: Map<string, string>
  /** The URL that a path redirects to. */
  redirects: Map<string, string>
  /** The `authorization` header of each request. */
  requests: (string | undefined)[]
  close: () => Promise<void>
}

/** @param password required by Basic authentication. Null: no authentication. */
export async function startFakeHttpsServer(
  certificate: ReturnType<typeof makeCertificate>,
  password: string | null = null,
): Promise<FakeHttpsServer> {
  const files: FakeHttpsServer['files'] = new Map()
  const redirects: FakeHttpsServer['redirects'] = new Map()
  const requests: FakeHttpsServer['requests'] = []
  const server = createServer(certificate, (request, response) => {
    const { authorization } = request.headers
    requests.push(authorization)
    const [, sent = ''] = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64')
      .toString()
      .split(':')
    if (password !== null && sent !== password) return response.writeHead(401).end()
    const location = redirects.get(request.url ?? '')
    if (location !== undefined) return response.writeHead(302, { location }).end()
    const file = files.get(request.url ?? '')
    return file === undefined ? response.writeHead(404).end() : response.end(file)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    files,
    redirects,
    requests,
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  }
}
