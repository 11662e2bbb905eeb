import multipart from '@fastify/multipart'
import Fastify, { type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { isPartAFile, partsOf } from './kinds.ts'

test('a part that claims to be JSON is streamed instead of parsed', async () => {
  const app = Fastify()
  await app.register(multipart, { isPartAFile })
  const handler = async (request: FastifyRequest) => {
    const kinds: string[] = []
    for await (const part of partsOf(request)) {
      if (part.type === 'file') part.file.resume()
      kinds.push(`${part.fieldname} ${part.type}`)
    }
    return kinds
  }
  app.route({ method: 'POST', url: '/', handler })
  const part = (name: string, head: string, content: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${content}\r\n`
  const { body } = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: [
      part('plain', '', 'a'),
      part('json', '\r\nContent-Type: application/json', '{"a":[[],[]]}'),
      part('upper', '\r\nContent-Type: Application/JSON; charset=utf-8', '[]'),
      part('file', '; filename="a.txt"', 'a'),
      '--x--\r\n',
    ].join(''),
  })
  expect(JSON.parse(body)).toEqual(['plain field', 'json file', 'upper file', 'file file'])
})
