import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

const get = (url: string) => forecourt.anonymous.send({ method: 'GET', url })

test('sends the complete script of the reference page to concurrent requests', async () => {
  const scripts = await Promise.all([1, 2].map(() => get('/api/reference/files/js/scalar.js')))
  for (const { status, headers, text } of scripts) {
    expect([status, headers['content-type']]).toEqual([200, 'application/javascript; charset=utf-8'])
    expect(text.length).toBeGreaterThan(1_000_000)
    expect(text).toContain('createApiReference')
  }
})

test.for(['/api/reference/files', '/api/reference/files/', '/api/reference/files/openapi.json'])(
  '%s redirects to the page',
  async (url) => {
    const { status, headers } = await get(url)
    expect([status, headers.location]).toEqual([302, '/api/reference'])
  },
)
