import type { z } from 'zod'
import { fieldSentences, sentenceOf } from '#contract/field-sentences.ts'
import { refused } from './failure.ts'

/**
 * Reads JSON from one field of a multipart body.
 * @throws Failure 400 with a message for each invalid part, by its path: `asked.usual.decimal`.
 */
export function readJsonField<T extends z.ZodType>(schema: T, text: string, field: string): z.output<T> {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    throw refused('Some fields are invalid.', { [field]: 'This is not valid JSON.' })
  }
  const read = schema.safeParse(value, { error: sentenceOf })
  if (read.success) return read.data
  const sentences = Object.entries(fieldSentences(read.error))
  const fields = sentences.map(([path, sentence]) => [path === 'body' ? field : `${field}.${path}`, sentence])
  throw refused('Some fields are invalid.', Object.fromEntries(fields))
}
