import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { connectClient } from './client.ts'
import { download, nameOf } from './download.ts'

let answers: Response[]

beforeEach(() => {
  answers = []
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async () => {
    const next = answers.shift()
    if (!next) throw new TypeError('Failed to fetch')
    return next
  })
  connectClient({ installId: 'i1', bearer: () => 'held', renew: async () => 'new', end: () => {} })
})
afterEach(() => vi.unstubAllGlobals())

const bytes: number[] = []
const fetchReport = () => {
  bytes.length = 0
  const options = { signal: new AbortController().signal, onBytes: (count: number) => bytes.push(count) }
  return download(reports.make, { name: 'user-access-review' }, options)
}

function fileOf(body: BodyInit): Response {
  const headers = { 'content-disposition': `attachment; filename="a_.csv"; filename*=UTF-8''a%C3%A9.csv` }
  return new Response(body, { headers: { ...headers, 'content-type': 'text/csv' } })
}

test('a file has its name, its type and its progress', async () => {
  answers = [fileOf('a,b\n1,2\n')]
  const file = await fetchReport()
  expect([file.name, file.type, await file.text()]).toEqual(['aé.csv', 'text/csv', 'a,b\n1,2\n'])
  expect(bytes.at(-1)).toBe(8)
})

test("a rejection has the server's message", async () => {
  const refusal = { status: false, data: null, message: 'Too many rows.' }
  answers = [Response.json(refusal, { status: 409, headers: { 'x-request-id': 'r-1' } })]
  await expect(fetchReport()).rejects.toMatchObject({
    status: 409,
    message: 'Too many rows.',
    requestId: 'r-1',
  })
})

test('an expired token is renewed once, as with every other call', async () => {
  const refusal = { status: false, data: null, message: 'No.' }
  answers = [Response.json(refusal, { status: 401 }), fileOf('x')]
  await expect(fetchReport()).resolves.toMatchObject({ size: 1 })
})

test('an interrupted download is an error', async () => {
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('a,b\n'))
      setTimeout(() => controller.error(new Error('cut')), 1)
    },
  })
  answers = [fileOf(body)]
  await expect(fetchReport()).rejects.toMatchObject({
    kind: 'unreadable',
    message: 'The download was interrupted. Try again.',
  })
})

test('a file without a name gets a default name', () => {
  expect(nameOf(null)).toBe('download')
  expect(nameOf('attachment; filename="plain.csv"')).toBe('plain.csv')
})
