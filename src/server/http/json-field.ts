import type { z } from 'zod'
import { fieldSentences, sentenceOf } from '#contract/field-sentences.ts'
import { refused } from './failure.ts'

/**
 * Reads JSON that came as one field of a multipart body.
 * @throws Failure 400 with a sentence for each wrong part of it, by its path: `asked.usual.decimal`.
 */
export function readJsonField<T extends z.ZodType>(schema: T, text: string, field: string): z.output<T> {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    throw refused('Some fields are not right.', { [field]: 'This is no JSON.' })
  }
  const read = schema.safeParse(value, { error: sentenceOf })
  if (read.success) return read.data
  const sentences = Object.entries(fieldSentences(read.error))
  const fields = sentences.map(([path, said]) => [path === 'body' ? field : `${field}.${path}`, said])
  throw refused('Some fields are not right.', Object.fromEntries(fields))
}
