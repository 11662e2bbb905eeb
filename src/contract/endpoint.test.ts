import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldSentences } from './field-sentences.ts'
import { endpoint, listEndpoints, pathParameters } from './endpoint.ts'
import { contract } from './index.ts'

const call = { allow: 'anyone', path: '/api/x', summary: 'A call.' } as const

test('by default an endpoint takes no input, answers null as JSON, and writes unless it is a GET', () => {
  const [read, act, remove] = [
    endpoint({ ...call, method: 'GET' }),
    endpoint({ ...call, method: 'POST' }),
    endpoint({ ...call, method: 'DELETE' }),
  ]
  expect([read.writes, act.writes, remove.writes]).toEqual([false, true, true])
  expect([read.kind, read.outside, read.output.parse(null)]).toEqual(['json', false, null])
  expect(read.input.safeParse({ more: 1 }).success).toBe(false)
})

test('declared options override the defaults', () => {
  const acting = endpoint({ ...call, method: 'GET', writes: true, kind: 'report', outside: true })
  expect([acting.writes, acting.kind, acting.outside]).toEqual([true, 'report', true])
})

test.for([
  ['/api/a', []],
  ['/api/a/{id}', ['id']],
  ['/api/{one}/b/{two}', ['one', 'two']],
] as const)('the path %s has the parameters %j', ([path, names]) => {
  expect(pathParameters(path)).toEqual(names)
})

test('no two endpoints have the same method and path, regardless of parameter names', () => {
  const places = listEndpoints(contract).map(
    ({ endpoint: { method, path } }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`,
  )
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
})

test('only pages, probes and partner endpoints are outside /api, and every summary is a sentence', () => {
  const wrong = listEndpoints(contract).filter(({ endpoint: { path, kind, summary } }) => {
    // Files that partners fetch from a URL they were given.
    const isFile = kind === 'download' && path.startsWith('/feeds/')
    // Files that partners send to a URL they were given.
    const isSent = path.startsWith('/inbound/')
    const isOutside = kind === 'page' || kind === 'probe' || isFile || isSent
    return path.startsWith('/api/') === isOutside || !/^[A-Z].*\.$/.test(summary)
  })
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('returns one sentence per field, by path, and names unknown fields', () => {
  const schema = z.strictObject({
    a: z.string('A must be text.'),
    list: z.array(z.strictObject({ b: z.number('B must be a number.') })),
  })
  const { error } = schema.safeParse({ a: 1, list: [{ b: 1 }, { b: 'x', c: 1 }], d: 1 })
  expect(error && fieldSentences(error)).toEqual({
    a: 'A must be text.',
    'list.1.b': 'B must be a number.',
    'list.1.c': 'This field is unknown.',
    d: 'This field is unknown.',
  })
})

test('reports an issue with the whole input under "body"', () => {
  const { error } = z.strictObject({}, 'Send an object.').safeParse([])
  expect(error && fieldSentences(error)).toEqual({ body: 'Send an object.' })
})

test('what a write changes can be read, and only writes change something', () => {
  const all = listEndpoints(contract)
  const read = new Set(all.flatMap(({ endpoint: { writes, path } }) => (writes ? [] : [path])))
  const declared = all.flatMap(({ name, endpoint: { writes, changes } }) =>
    changes.map((path) => ({ name, path, isRight: writes && read.has(path) })),
  )
  expect(declared.map(({ name }) => name)).toContain('lots.add')
  expect(declared.filter(({ isRight }) => !isRight)).toEqual([])
})
