import { afterEach, expect, test } from 'vitest'
import { type AdfThread, makeAdfThread } from './adf-thread.ts'

const threads: AdfThread[] = []
function start(options: Parameters<typeof makeAdfThread>[0]): AdfThread {
  const thread = makeAdfThread(options)
  threads.push(thread)
  return thread
}
afterEach(async () => {
  await Promise.all(threads.splice(0).map(({ stop }) => stop()))
})

const ADF =
  '<?adf version="1.0"?><adf><prospect><customer><contact><name part="full">Dana Sample</name></contact></customer></prospect></adf>'
const read = (thread: AdfThread, text: string) =>
  thread.read('1', {
    pieces: [new Uint8Array(new TextEncoder().encode(text))],
    contentType: 'application/xml',
  })
const email = (more: string) => `{"MessageID":"1","From":"dana@mail.example",${more}}`
const FAILED = { kind: 'failed', message: 'Reading this document takes too much time or memory.' }

test('a message that takes too long is given up, and the next one is read', async () => {
  const thread = start({ timeoutMs: 5 })
  expect(await read(thread, ADF)).toMatchObject({ kind: 'adf', adf: { kind: 'document' } })
  const nested = email(`"TextBody":"","HtmlBody":"${'<div>x'.repeat(30_000)}"`)
  expect(await read(thread, nested)).toEqual(FAILED)
  expect(await read(thread, ADF)).toMatchObject({ kind: 'adf', adf: { kind: 'document' } })
})

test('JSON that would need too much memory is refused before it is parsed', async () => {
  const thread = start({})
  // JSON.parse would need a gigabyte, and end the whole process.
  const many = email(`"Other":[${'[],'.repeat(10_000_000)}[]]`)
  expect(await read(thread, many)).toMatchObject({
    kind: 'adf',
    adf: { kind: 'refused', message: 'The JSON has more than 100,000 values.' },
  })
  const quoted = email(`"Other":${JSON.stringify('"[],\\'.repeat(100_000))}`)
  expect(await read(thread, quoted)).toMatchObject({ kind: 'mail' })
})

test('pieces of a message are joined, also in the middle of a character', async () => {
  const bytes = new TextEncoder().encode(ADF.replace('Dana', 'Zoë'))
  const at = bytes.indexOf(0xc3) + 1
  const pieces = [new Uint8Array(bytes.subarray(0, at)), new Uint8Array(bytes.subarray(at))]
  const found = await start({}).read('1', { pieces, contentType: '' })
  expect(JSON.stringify(found)).toContain('Zoë Sample')
})
