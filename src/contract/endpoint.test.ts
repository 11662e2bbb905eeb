import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldSentences } from './field-sentences.ts'
import { endpoint, listEndpoints, pathParameters } from './endpoint.ts'
import { contract } from './index.ts'

const call = { allow: 'anyone', path: '/api/x', summary: 'A call.' } as const

test('an endpoint that says nothing takes nothing, answers null as JSON, and only a GET does not write', () => {
  const [read, act, remove] = [
    endpoint({ ...call, method: 'GET' }),
    endpoint({ ...call, method: 'POST' }),
    endpoint({ ...call, method: 'DELETE' }),
  ]
  expect([read.writes, act.writes, remove.writes]).toEqual([false, true, true])
  expect([read.kind, read.outside, read.output.parse(null)]).toEqual(['json', false, null])
  expect(read.input.safeParse({ more: 1 }).success).toBe(false)
})

test('what an endpoint says wins over its defaults', () => {
  const acting = endpoint({ ...call, method: 'GET', writes: true, kind: 'report', outside: true })
  expect([acting.writes, acting.kind, acting.outside]).toEqual([true, 'report', true])
})

test.for([
  ['/api/a', []],
  ['/api/a/{id}', ['id']],
  ['/api/{one}/b/{two}', ['one', 'two']],
] as const)('the path %s names %j', ([path, names]) => {
  expect(pathParameters(path)).toEqual(names)
})

test('no two endpoints answer the same method and path, whatever their parameters are called', () => {
  const places = listEndpoints(contract).map(
    ({ endpoint: { method, path } }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`,
  )
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([])
})

test('only pages, probes and what is for others live outside /api, and every summary is a sentence', () => {
  const wrong = listEndpoints(contract).filter(({ endpoint: { path, kind, summary } }) => {
    // What partners fetch, under an address that they were given.
    const isFile = kind === 'download' && path.startsWith('/feeds/')
    // What partners send, to an address that they were given.
    const isSent = path.startsWith('/inbound/')
    const isOutside = kind === 'page' || kind === 'probe' || isFile || isSent
    return path.startsWith('/api/') === isOutside || !/^[A-Z].*\.$/.test(summary)
  })
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('complaints become one sentence a field, by its path, and an unknown field is named where it stands', () => {
  const schema = z.strictObject({
    a: z.string('A must be text.'),
    list: z.array(z.strictObject({ b: z.number('B must be a number.') })),
  })
  const { error } = schema.safeParse({ a: 1, list: [{ b: 1 }, { b: 'x', c: 1 }], d: 1 })
  expect(error && fieldSentences(error)).toEqual({
    a: 'A must be text.',
    'list.1.b': 'B must be a number.',
    'list.1.c': 'This field is not known.',
    d: 'This field is not known.',
  })
})

test('a complaint about the whole is told of the body', () => {
  const { error } = z.strictObject({}, 'Send an object.').safeParse([])
  expect(error && fieldSentences(error)).toEqual({ body: 'Send an object.' })
})
