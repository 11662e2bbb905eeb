import { expect, test } from 'vitest'
import { z } from 'zod'
import { listEndpoints } from './endpoint.ts'
import { fieldSentences, sentenceOf } from './field-sentences.ts'
import { contract } from './index.ts'

type Input = readonly [path: string, schema: z.core.$ZodType]

/** The fields of an input that aren't objects or lists themselves, those of every entry of a list included. */
function* fieldsOf([path, schema]: Input): Generator<Input> {
  const inner = innerOf(schema)
  if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape))
      yield* fieldsOf([`${path}.${name}`, field])
  else if (inner.some(hasFields)) for (const one of inner) yield* fieldsOf([path, one])
  else yield [path, schema]
}

function innerOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options
  if (schema instanceof z.ZodPipe) return [schema.def.in]
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  const wraps =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return wraps ? [schema.unwrap()] : []
}

const hasFields = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodObject || innerOf(schema).some(hasFields)

test('every text that is too long or has control characters is rejected with a sentence of its field', () => {
  const fields = listEndpoints(contract).flatMap(({ name, endpoint }) => [
    ...fieldsOf([name, endpoint.input]),
  ])
  const texts = fields.filter(([, schema]) =>
    ['A', 'a@b.example', 'https://a.example'].some((text) => z.safeParse(schema, text).success),
  )
  expect(texts.length).toBeGreaterThan(900)
  const generic = texts.filter(([, schema]) =>
    ['x'.repeat(100_001), 'a\u0000b'].some((text) => {
      const { error } = z.safeParse(schema, text, { error: sentenceOf })
      return error && Object.values(fieldSentences(error)).includes('This is not an accepted value.')
    }),
  )
  expect(generic.map(([path]) => path)).toEqual([])
})
