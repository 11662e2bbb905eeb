import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Definition, Question } from '#contract/questions/definition.ts'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import { checkQuestionnaire } from '../questionnaires/check-questionnaire.ts'
import { QuestionnaireFile } from '../questionnaires/questionnaire-file.ts'
import { readOwnFile } from './read-own-file.ts'

const HOSTILE = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'true', 'null']
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.constantFrom(...HOSTILE))
const stored = text.filter((value) => value.isWellFormed() && !value.includes('\0'))
const texts = fc
  .uniqueArray(fc.tuple(fc.constantFrom('en', 'es', 'fr', '__proto__'), stored), {
    selector: ([language]) => language,
    maxLength: 3,
  })
  .map((entries) => Object.fromEntries(entries))
const code = fc.oneof(fc.stringMatching(/^[A-Za-z]\w{0,12}$/), fc.constantFrom(...HOSTILE))
const choices = fc.array(fc.record({ value: stored, title: texts }), { maxLength: 4 })
const base = { code, title: texts }
const question: fc.Arbitrary<Question> = fc.oneof(
  fc.record(
    { type: fc.constant('text' as const), ...base, help: texts, conceptId: stored, visibleIf: stored },
    { requiredKeys: ['type', 'code', 'title'] },
  ),
  fc.record(
    {
      type: fc.constant('number' as const),
      ...base,
      unit: stored,
      min: fc.constantFrom('0', '-1.50'),
      decimals: fc.nat(10),
    },
    { requiredKeys: ['type', 'code', 'title'] },
  ),
  fc.record(
    { type: fc.constant('multiple' as const), ...base, choices, allowOther: fc.constant(true as const) },
    { requiredKeys: ['type', 'code', 'title', 'choices'] },
  ),
  fc.record({
    type: fc.constant('matrix' as const),
    ...base,
    rows: fc.array(fc.record({ code, title: texts }), { maxLength: 3 }),
    choices,
  }),
  fc.record({
    type: fc.constant('table' as const),
    ...base,
    columns: fc.array(fc.record({ type: fc.constant('date' as const), code, title: texts }), {
      maxLength: 3,
    }),
  }),
)
const definition: fc.Arbitrary<Definition> = fc.record({
  languages: fc.constant(['en', 'es']),
  sections: fc.array(
    fc.record({ id: stored, title: texts, questions: fc.array(question, { maxLength: 5 }) }),
    {
      maxLength: 4,
    },
  ),
})
const fileOf = (of: Definition): QuestionnaireFile => ({
  format: 'forecourt-questionnaire',
  version: 1,
  name: 'Site check',
  key: 'site-check',
  definition: of,
  scoring: NO_SCORING,
})

test('every questionnaire survives export and import unchanged, also with names like __proto__', () => {
  fc.assert(
    fc.property(definition, (of) => {
      const json: unknown = JSON.parse(JSON.stringify(fileOf(of)))
      const read = readOwnFile(json)
      expect(JSON.stringify(read.draft)).toBe(JSON.stringify(QuestionnaireFile.parse(fileOf(of)).definition))
      expect(read.scoring).toEqual(NO_SCORING)
      // A hostile name is refused with a message, and never breaks the check.
      expect(Array.isArray(checkQuestionnaire({ draft: read.draft, scoring: read.scoring }).faults)).toBe(
        true,
      )
    }),
    { numRuns: 200 },
  )
})

const question1 = { type: 'number', code: 'mileage', title: { en: 'Mileage' } }
const section = (questions: readonly unknown[]) => ({ id: 's', title: { en: 'S' }, questions })
test.for<[string, unknown, string]>([
  ['something else', [], "This isn't a questionnaire file."],
  [
    'a newer version',
    { ...fileOf({ languages: ['en'], sections: [] }), version: 2 },
    'version: This file is from a newer version of Forecourt.',
  ],
  [
    'a wrong number',
    {
      ...fileOf({ languages: ['en'], sections: [] }),
      definition: { languages: ['en'], sections: [section([{ ...question1, min: 'ten' }])] },
    },
    'Question mileage, min: Enter a number in plain digits, like 1500 or 0.25.',
  ],
  [
    'an unknown property',
    {
      ...fileOf({ languages: ['en'], sections: [] }),
      definition: { languages: ['en'], sections: [section([]), section([{ ...question1, color: 'red' }])] },
    },
    'Question mileage: Unrecognized key: "color".',
  ],
])('%s is refused with its place', ([, json, sentence]) => {
  expect(() => readOwnFile(json)).toThrow(sentence)
})

test('rules that need each other are found when the draft is checked', () => {
  const of: Definition = {
    languages: ['en'],
    sections: [
      {
        id: 's',
        title: { en: 'S' },
        questions: [
          { type: 'boolean', code: 'a', title: { en: 'A' }, visibleIf: 'b' },
          { type: 'boolean', code: 'b', title: { en: 'B' }, visibleIf: 'a' },
        ],
      },
    ],
  }
  const { draft, scoring } = readOwnFile(JSON.parse(JSON.stringify(fileOf(of))))
  const { faults, isPublishable } = checkQuestionnaire({ draft, scoring })
  expect(isPublishable).toBe(false)
  expect(faults[0]?.message).toMatch(/depend on each other|need each other/)
})
