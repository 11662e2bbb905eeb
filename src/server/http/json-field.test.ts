import { expect, test } from 'vitest'
import { z } from 'zod'
import { readJsonField } from './json-field.ts'

const Asked = z.object({ sheet: z.string().nullable(), usual: z.object({ order: z.enum(['ymd', 'dmy']) }) })
const fieldsOf = (text: string): unknown => {
  try {
    return readJsonField(Asked, text, 'asked')
  } catch (error) {
    return error instanceof Error ? Reflect.get(error, 'fields') : null
  }
}

test('what is wrong within the JSON of a field is told by its path, in a sentence', () => {
  expect([
    fieldsOf('[]'),
    fieldsOf('{'),
    fieldsOf('{"sheet":7,"usual":{"order":7}}'),
    fieldsOf('{}'),
  ]).toEqual([
    { asked: 'This must be an object.' },
    { asked: 'This is no JSON.' },
    { 'asked.sheet': 'This must be text.', 'asked.usual.order': 'This must be ymd or dmy.' },
    { 'asked.sheet': 'This is required.', 'asked.usual': 'This is required.' },
  ])
})
