import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import type { makeCertificate } from './certificate.ts'

/** A local server with photos, as a feed provider has one. Clients must trust its certificate. */
export type FakePhotoHost = {
  url: string
  /** By path. A photo with an ETag answers a conditional request. */
  photos: Map<string, { bytes: Buffer; etag?: string }>
  /** What was asked for, with the condition. */
  requests: { path: string; condition: string | undefined }[]
  /** `down`: it hangs up. `hangs`: it accepts requests and never answers. */
  mood: 'fine' | 'down' | 'hangs'
  /** How long an answer takes. */
  delayMs: number
  /** The most requests that were open at once. */
  most: number
  close: () => Promise<void>
}

export async function startFakePhotoHost(
  certificate: ReturnType<typeof makeCertificate>,
): Promise<FakePhotoHost> {
  let open = 0
  const server = createServer(certificate, (request, response) => {
    const { url: path = '', headers } = request
    host.requests.push({ path, condition: headers['if-none-match'] })
    open += 1
    host.most = Math.max(host.most, open)
    response.once('close', () => (open -= 1))
    if (host.mood === 'down') request.socket.destroy()
    if (host.mood === 'fine') void answer(path, headers['if-none-match'], response)
  }).listen(0, '127.0.0.1')
  async function answer(
    path: string,
    condition: string | undefined,
    response: ServerResponse,
  ): Promise<void> {
    if (host.delayMs > 0) await wait(host.delayMs)
    const photo = host.photos.get(path)
    if (photo === undefined) return void response.writeHead(404).end()
    const headers = photo.etag === undefined ? {} : { etag: photo.etag }
    if (photo.etag !== undefined && photo.etag === condition)
      return void response.writeHead(304, headers).end()
    response.writeHead(200, headers).end(photo.bytes)
  }
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const host: FakePhotoHost = {
    url: `https://localhost:${port}`,
    photos: new Map(),
    requests: [],
    mood: 'fine',
    delayMs: 0,
    most: 0,
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  }
  return host
}
