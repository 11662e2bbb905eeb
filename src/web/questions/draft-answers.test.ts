import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { showNumber } from '#contract/parsing/parse-number.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { evaluateAnswers, type EvaluateOptions } from '#contract/questions/evaluate.ts'
import { inputName, readFormEntries } from '#contract/questions/reading/form-entries.ts'
import { anyForm } from '#test/factories/questions/any-form.ts'
import { toAnswers } from './draft-answers.ts'

const en = (text: string) => ({ en: text })
const compiled = compileDefinition(
  Definition.parse({
    languages: ['en', 'de'],
    sections: [
      {
        id: 'one',
        title: en('One'),
        questions: [
          { type: 'number', code: 'miles', title: en('Miles') },
          { type: 'text', code: 'name', title: en('Name') },
          {
            type: 'table',
            code: 'meters',
            title: en('Meters'),
            columns: [
              { type: 'text', code: 'meter', title: en('Meter') },
              { type: 'number', code: 'kwh', title: en('kWh') },
            ],
          },
        ],
      },
    ],
  }),
)

test('numbers are read as the language writes them, all else stays', () => {
  const drafts = { miles: '12,500.5', name: '12,500', meters: [{ meter: '1,000', kwh: '1,000' }, {}] }
  expect(toAnswers(compiled, drafts, 'en')).toEqual({
    miles: '12500.5',
    name: '12,500',
    meters: [{ meter: '1,000', kwh: '1000' }, {}],
  })
  expect(toAnswers(compiled, { miles: '12.500,5' }, 'de')).toEqual({ miles: '12500.5' })
})

test('what is no number stays as typed, so that it is refused', () => {
  const drafts = { miles: 'many', meters: [{ kwh: 'x' }, null], color: 'red' }
  expect(toAnswers(compiled, drafts, 'en')).toEqual({
    miles: 'many',
    meters: [{ kwh: 'x' }, {}],
    color: 'red',
  })
})

const OPTIONS: Omit<EvaluateOptions, 'language'> = {
  now: new Date('2026-11-25T15:00:00Z'),
  zone: 'UTC',
  seller: { name: 'Shop', country: 'US' },
  setAside: true,
}

const FORMATS = { en: localeFormat('en'), de: localeFormat('de') }

/** What someone types for a number: as the language writes it, with and without separators and a currency sign. */
const typings = (digits: string, language: keyof typeof FORMATS): [string, ...string[]] => {
  const format = FORMATS[language]
  const plain = digits.replace('.', format.decimal)
  return [plain, showNumber(digits, format), `$${plain}`, `${showNumber(digits, format)} €`, ` ${plain} `]
}

/** The fields of an HTML form in which the same was typed; null if a form can't send it. */
function fieldsOf(code: string, draft: unknown): [string, string][] | null {
  if (typeof draft === 'string') return [[code, draft]]
  if (typeof draft === 'boolean' || typeof draft === 'number') return [[code, String(draft)]]
  if (Array.isArray(draft)) {
    const parts: unknown[] = draft
    const fields = parts.map((part, row) =>
      typeof part === 'string' ? fieldsOf(code, part) : fieldsOf(inputName(code, row), part),
    )
    return fields.some((one) => one === null) ? null : fields.flatMap((one) => one ?? [])
  }
  if (typeof draft !== 'object' || draft === null) return null
  if ('isGiven' in draft && 'version' in draft)
    return draft.isGiven === true ? [[code, String(draft.version)]] : null
  if ('other' in draft)
    return [
      [code, 'other'],
      [inputName(code, 'other'), String(draft.other)],
    ]
  return Object.entries(draft).flatMap(([name, part]) => fieldsOf(inputName(code, name), part) ?? [])
}

test('the browser and a form without a script get the same verdict about what was typed', () => {
  let compared = 0
  fc.assert(
    fc.property(
      anyForm,
      fc.constantFrom('en', 'de'),
      fc.nat(4),
      ({ definition, answers }, language, style) => {
        const all = compileDefinition({ ...definition, languages: [language] })
        const typed = (type: string | undefined, value: unknown): unknown => {
          const text = String(value)
          return type === 'number' && /^-?\d+(\.\d+)?$/.test(text) ? typings(text, language)[style] : value
        }
        const drafts: [string, unknown][] = []
        const entries: [string, string][] = []
        for (const [code, { given, flaws = [] }] of answers) {
          const question = all.byCode.get(code)?.question
          if (given === undefined || question === undefined || question.type === 'file') continue
          // A form sends only text, and nothing for spaces.
          if (flaws.some((flaw) => flaw.code === 'wrongType' || flaw.code === 'reasonRequired')) continue
          const draft =
            question.type === 'table' && Array.isArray(given)
              ? given.map((row: object) =>
                  Object.fromEntries(
                    Object.entries(row).map(([name, value]) => [
                      name,
                      typed(question.columns.find((column) => column.code === name)?.type, value),
                    ]),
                  ),
                )
              : typed(question.type, given)
          const fields = fieldsOf(code, draft)
          if (fields === null) continue
          drafts.push([code, draft])
          entries.push(...fields)
        }
        const verdict = (sent: Readonly<Record<string, unknown>>) => {
          const { consents, progress, ...result } = evaluateAnswers(all, sent, { ...OPTIONS, language })
          return { ...result, given: consents.length, answered: progress.answered }
        }
        compared += entries.length
        expect(verdict(readFormEntries(all, entries, language))).toEqual(
          verdict(toAnswers(all, Object.fromEntries(drafts), language)),
        )
      },
    ),
    { numRuns: 150 },
  )
  expect(compared).toBeGreaterThan(300)
})
