import { expect, test } from 'vitest'
import { type Question, Definition } from '#contract/questions/definition.ts'
import { answerText } from './answer-text.ts'

const context = { language: 'en', languages: ['en'], facilities: new Map([['7', 'Northgate Ford']]) }
const en = (text: string) => ({ en: text })
const choices = ['a', 'b'].map((value) => ({ value, title: en(`Choice ${value}`) }))

/** A question as a definition reads it. */
function ask(question: unknown): Question {
  const [section] = Definition.parse({
    languages: ['en'],
    sections: [{ id: 's', title: en('S'), questions: [question] }],
  }).sections
  const found = section?.questions[0]
  if (found === undefined) throw new Error('No question.')
  return found
}

test.each([
  [{ type: 'number', unit: 'kWh' }, '1200345.50', '1,200,345.50 kWh'],
  [{ type: 'date' }, '2026-03-01', 'Mar 1, 2026'],
  [{ type: 'boolean' }, false, 'No'],
  [{ type: 'rating', max: 5 }, 3, '3 of 5'],
  [{ type: 'single', choices }, 'b', 'Choice b'],
  [{ type: 'single', choices, allowOther: true }, { other: 'Biogas' }, 'Biogas'],
  [{ type: 'multiple', choices }, ['a', { other: 'Wood' }], 'Choice a, Wood'],
  [{ type: 'matrix', choices, rows: [{ code: 'r', title: en('Roof') }] }, { r: 'a' }, 'Roof: Choice a'],
  [
    {
      type: 'table',
      columns: [
        { type: 'text', code: 'name', title: en('Meter') },
        { type: 'number', code: 'kwh', title: en('Used'), unit: 'kWh' },
      ],
    },
    [{ name: 'Main', kwh: '10.5' }, { name: 'Shop' }],
    'Meter: Main, Used: 10.5 kWh\nMeter: Shop',
  ],
  [{ type: 'facility' }, '7', 'Northgate Ford'],
  [{ type: 'person' }, { name: 'Ana', email: 'ana@x.example' }, 'Ana, ana@x.example'],
  [{ type: 'file' }, [{ id: '1', name: 'bill.pdf' }], 'bill.pdf'],
  [{ type: 'text', obligation: 'mayRefuse' }, { refused: 'Confidential' }, 'Declined: Confidential'],
  [{ type: 'text', obligation: 'ifApplicable' }, { notApplicable: true }, 'Not applicable'],
  [{ type: 'text' }, null, ''],
])('%o with %o reads as it was answered', (question, value, words) => {
  expect(answerText(ask({ code: 'q', title: en('Q'), ...question }), value, context)).toBe(words)
})
