import type { z } from 'zod'
import { fieldSentences, sentenceOf } from '#contract/field-sentences.ts'
import { JSON_REFUSALS, parseJson } from '#server/threads/parse-json.ts'
import { refused } from './failure.ts'

/**
 * Reads JSON from one field of a multipart body.
 * @throws Failure 400 with a message for each invalid part, by its path: `asked.usual.decimal`.
 */
export function readJsonField<T extends z.ZodType>(schema: T, text: string, field: string): z.output<T> {
  const parsed = parseJson(text)
  if (parsed.kind !== 'json')
    throw refused('Some fields are invalid.', { [field]: JSON_REFUSALS[parsed.kind] })
  const read = schema.safeParse(parsed.value, { error: sentenceOf })
  if (read.success) return read.data
  const sentences = Object.entries(fieldSentences(read.error))
  const fields = sentences.map(([path, sentence]) => [path === 'body' ? field : `${field}.${path}`, sentence])
  throw refused('Some fields are invalid.', Object.fromEntries(fields))
}
