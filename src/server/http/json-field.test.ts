import { expect, test } from 'vitest'
import { z } from 'zod'
import { readJsonField } from './json-field.ts'

const Request = z.object({ sheet: z.string().nullable(), usual: z.object({ order: z.enum(['ymd', 'dmy']) }) })
const fieldsOf = (text: string): unknown => {
  try {
    return readJsonField(Request, text, 'request')
  } catch (error) {
    return error instanceof Error ? Reflect.get(error, 'fields') : null
  }
}

test('reports errors in a JSON field by path, in a sentence', () => {
  expect([
    fieldsOf('[]'),
    fieldsOf('{'),
    fieldsOf(`[${'0,'.repeat(100_000)}0]`),
    fieldsOf('{"sheet":7,"usual":{"order":7}}'),
    fieldsOf('{}'),
  ]).toEqual([
    { request: 'This must be an object.' },
    { request: 'The JSON is incomplete or not valid.' },
    { request: 'The JSON has more than 100,000 values.' },
    { 'request.sheet': 'This must be text.', 'request.usual.order': 'This must be ymd or dmy.' },
    { 'request.sheet': 'This is required.', 'request.usual': 'This is required.' },
  ])
})
