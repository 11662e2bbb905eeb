import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { followRedirect } from '#server/outside/transfer/follow-redirect.ts'
import { addressFor, type Remote } from '#server/outside/transfer/remote.ts'
import { fetchFile } from '#server/outside/transfer/transfer.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { startFakeHttpsServer } from '#test/fakes/https.ts'
import { fetchPhoto } from './fetch-photo.ts'

const certificate = makeCertificate()
const trusted = getCACertificates()
setDefaultCACertificates([...trusted, certificate.cert])
const web = await startFakeHttpsServer(certificate)
const other = await startFakeHttpsServer(certificate)
const REFUSAL = "This photo can't be loaded from its URL."
const LIMIT = 15_000_000
const gif = (bytes: number) => 'GIF89a'.padEnd(bytes, ' ')
const urlOf = (path: string) => `https://localhost:${web.port}${path}`
const remote: Remote = {
  protocol: 'https',
  host: 'localhost',
  port: web.port,
  path: '/moved.gif',
  user: null,
  secret: null,
  hostKey: null,
  isGuarded: false,
}

beforeEach(() => {
  for (const server of [web, other]) server.requests.length = 0
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await web.close()
  await other.close()
})

test('a guarded photo is not fetched from a private address or another port', async () => {
  web.files.set('/1.gif', gif(100))
  await expect(fetchPhoto(urlOf('/1.gif'), { isGuarded: true })).rejects.toThrow(REFUSAL)
  expect(web.requests).toEqual([])
  expect((await fetchPhoto(urlOf('/1.gif'), { isGuarded: false })).type).toBe('image/gif')
})

test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]', 'localhost'])(
  'a redirect to the private address %s is refused',
  async (host) => {
    const from = { ...remote, host: 'photos.example.com', port: 443, isGuarded: true }
    const to = followRedirect(from, `https://${host}/latest`, { ports: [443] })
    const bounds = { maxBytes: 1, totalMs: 1_000, stepMs: 1_000, maxNames: 1 }
    await expect(addressFor(to, bounds)).rejects.toThrow('is not on the public internet')
  },
)

test('a redirect to another port is followed only if the port is allowed', async () => {
  web.redirects.set('/moved.gif', `https://localhost:${other.port}/1.gif`)
  other.files.set('/1.gif', gif(100))
  await expect(fetchFile(remote, { ports: [web.port] })).rejects.toThrow(`It redirects to port ${other.port}`)
  expect(other.requests).toEqual([])
  const { body } = await fetchFile(remote)
  body.destroy()
  expect(other.requests).toHaveLength(1)
})

test('a redirect to plain HTTP is refused', async () => {
  web.redirects.set('/plain.gif', `http://localhost:${other.port}/1.gif`)
  await expect(fetchPhoto(urlOf('/plain.gif'), { isGuarded: false })).rejects.toThrow(REFUSAL)
  expect(other.requests).toEqual([])
})

test('only a photo is shown: no page, no SVG, no URL with a password', async () => {
  web.files.set('/page.jpg', '<!doctype html><script>alert(1)</script>')
  web.files.set('/drawing.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  web.files.set('/1.gif', gif(100))
  const urls = [urlOf('/page.jpg'), urlOf('/drawing.png'), urlOf('/1.gif').replace('//', '//user:word@')]
  for (const url of [...urls, 'ftp://localhost/1.gif', 'no URL']) {
    await expect(fetchPhoto(url, { isGuarded: false })).rejects.toThrow(REFUSAL)
  }
})

test('a photo may have up to 15 MB', async () => {
  web.files.set('/large.gif', gif(LIMIT))
  web.files.set('/too-large.gif', gif(LIMIT + 1))
  expect((await fetchPhoto(urlOf('/large.gif'), { isGuarded: false })).body).toHaveLength(LIMIT)
  await expect(fetchPhoto(urlOf('/too-large.gif'), { isGuarded: false })).rejects.toThrow(REFUSAL)
})
