import { expect, test } from 'vitest'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
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
