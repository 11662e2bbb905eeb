import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { endpoint } from '#contract/endpoint.ts'
import { findUnusable, requestInput } from './request-input.ts'

const about = { allow: 'anyone', path: '/x/{id}', summary: 'A call.' } as const
const post = endpoint({ ...about, method: 'POST' })
const get = endpoint({ ...about, method: 'GET' })

/** What a call to /x/7 makes of its request. */
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

test('a GET reads its query and its path', async () => {
  expect(await inputOf('GET', '?a=1&b=2')).toEqual({ a: '1', b: '2', id: '7' })
})

test('a POST reads its body and its path, and not its query', async () => {
  expect(await inputOf('POST', '?a=1', { b: 2 })).toEqual({ b: 2, id: '7' })
})

test('the path wins: nobody names another row in the body than in the address', async () => {
  expect(await inputOf('POST', '', { id: '8' })).toEqual({ id: '7' })
  expect(await inputOf('GET', '?id=8')).toEqual({ id: '7' })
})

test('without a body there is the path', async () => {
  expect(await inputOf('POST', '')).toEqual({ id: '7' })
})

test('a body that is no object stays what it is', async () => {
  expect(await inputOf('POST', '', ['x'])).toEqual(['x'])
})

test.for([
  ['plain', null],
  ['a\u0000b', 'body'],
  [{ a: { b: ['x', 'y\u0000'] } }, 'a.b.1'],
  [{ a: { 'k\u0000': 1 } }, 'a'],
  [{ 'k\u0000': 1 }, 'body'],
  [{ a: 5, b: null, c: [true] }, null],
] as const)('the null character of %j is found at %j', ([value, place]) => {
  expect(findUnusable(value)?.path ?? null).toBe(place)
})

test('what is nested deeper than any form is refused at its field', () => {
  const deep: unknown = JSON.parse(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`)
  expect(findUnusable(deep)).toMatchObject({ sentence: 'This is nested too deep.' })
})
