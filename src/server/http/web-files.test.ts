import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_BRAND } from '#contract/appearance/tokens.ts'
import { installSecurityHeaders, OFFICE_HEADERS } from './security-headers.ts'
import { serveWebFiles } from './web-files.ts'

const app = Fastify()
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-web-'))
  await writeFile(join(folder, 'index.html'), '<html><!--boot--></html>')
  await installSecurityHeaders(app, { isHttps: true, policy: OFFICE_HEADERS })
  await serveWebFiles(app, {
    folder,
    linkPages: ['/participants'],
    isHttps: true,
    boot: async () => ({
      whiteLabel: { logo: null, favicon: null, title: 'Forecourt', footer: '', brand: DEFAULT_BRAND },
      idleSeconds: 1,
      idleWarningSeconds: 1,
      hasThemeCustomizer: false,
      isSetUp: true,
      hasGoogle: false,
      installId: '',
    }),
  })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

test.each([
  '/participants?task=1',
  '/participants/',
  '//participants',
  '/Participants',
  '/%70articipants',
  '/%2Fparticipants//?x=1',
])('the page of a secret link loads nothing from other origins, and sends no referrer: %s', async (path) => {
  // Injected addresses are normalized, those of a request are not.
  const { headers, statusCode } = await app.inject({ url: `http://localhost${path}` })
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'strict-transport-security': expect.stringContaining('max-age='),
    'permissions-policy': expect.stringContaining('camera=()'),
  })
  const policy = String(headers['content-security-policy'])
  const sources = policy.split(';').flatMap((directive) => directive.trim().split(' ').slice(1))
  expect(policy).toMatch(/^default-src 'none';/)
  expect([...new Set(sources)].toSorted()).toEqual(["'none'", "'self'", "'unsafe-inline'", 'blob:', 'data:'])
  expect(policy).toContain("script-src 'self';")
})

test('other pages keep the headers of the back office', async () => {
  const { headers } = await app.inject({ url: '/participants/more' })
  expect(headers['referrer-policy']).toBe('same-origin')
  expect(headers['content-security-policy']).toContain("default-src 'self'")
})
