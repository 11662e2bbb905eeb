import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { endpoint } from '#contract/endpoint.ts'
import { findUnusable, requestInput } from './request-input.ts'

const about = { allow: 'anyone', path: '/x/{id}', summary: 'A call.' } as const
const post = endpoint({ ...about, method: 'POST' })
const get = endpoint({ ...about, method: 'GET' })

/** The input of a request to /x/7. */
async function inputOf(method: 'GET' | 'POST', query: string, payload?: object): Promise<unknown> {
  const app = Fastify()
  let read: unknown
  app.route({
    method,
    url: '/x/:id',
    handler: async (request) => {
      read = requestInput(method === 'POST' ? post : get, request)
      return null
    },
  })
  await app.inject({ method, url: `/x/7${query}`, ...(payload && { payload }) })
  await app.close()
  return read
}

test('a GET reads the query and the path', async () => {
  expect(await inputOf('GET', '?a=1&b=2')).toEqual({ a: '1', b: '2', id: '7' })
})

test('a POST reads the body and the path, but not the query', async () => {
  expect(await inputOf('POST', '?a=1', { b: 2 })).toEqual({ b: 2, id: '7' })
})

test('the path overrides an ID in the body or query', async () => {
  expect(await inputOf('POST', '', { id: '8' })).toEqual({ id: '7' })
  expect(await inputOf('GET', '?id=8')).toEqual({ id: '7' })
})

test('a POST without a body still reads the path', async () => {
  expect(await inputOf('POST', '')).toEqual({ id: '7' })
})

test('a body that is not an object is returned unchanged', async () => {
  expect(await inputOf('POST', '', ['x'])).toEqual(['x'])
})

test.for([
  ['plain', null],
  ['a\u0000b', 'body'],
  [{ a: { b: ['x', 'y\u0000'] } }, 'a.b.1'],
  [{ a: { 'k\u0000': 1 } }, 'a'],
  [{ 'k\u0000': 1 }, 'body'],
  [{ a: 5, b: null, c: [true] }, null],
] as const)('the null character in %j is found at %j', ([value, place]) => {
  expect(findUnusable(value)?.path ?? null).toBe(place)
})

test('rejects values nested deeper than any real form', () => {
  const deep: unknown = JSON.parse(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)
  expect(findUnusable(deep)).toMatchObject({ sentence: 'This is nested too deeply.' })
})
