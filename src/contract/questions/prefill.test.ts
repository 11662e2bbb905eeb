import { expect, test } from 'vitest'
import { compileDefinition } from './compile.ts'
import { Definition } from './definition.ts'
import { readPrefill } from './prefill.ts'

const en = (text: string) => ({ en: text })
const choices = ['buy', 'trade'].map((value) => ({ value, title: en(value) }))

const compiled = compileDefinition(
  Definition.parse({
    languages: ['en'],
    sections: [
      {
        id: 'one',
        title: en('One'),
        questions: [
          { type: 'text', code: 'campaign', title: en('Campaign'), isHidden: true, prefill: 'utm_campaign' },
          { type: 'single', code: 'interest', title: en('Interest'), prefill: 'interest', choices },
          { type: 'multiple', code: 'extras', title: en('Extras'), prefill: 'extra', choices },
          {
            type: 'number',
            code: 'miles',
            title: en('Miles'),
            prefill: 'miles',
            visibleIf: 'interest == "trade"',
          },
          { type: 'text', code: 'name', title: en('Name') },
        ],
      },
    ],
  }),
)

function prefill(query: [string, string][]) {
  return readPrefill(compiled, query, { language: 'en', now: new Date('2026-11-25T15:00:00Z'), zone: 'UTC' })
}

test('the URL fills the questions that name a parameter', () => {
  expect(
    prefill([
      ['utm_campaign', 'Spring sale'],
      ['interest', 'trade'],
      ['extra', 'trade'],
      ['extra', 'buy'],
      ['miles', '12,000'],
      ['name', 'Ann'],
      ['gclid', '1'],
    ]),
  ).toEqual({ campaign: 'Spring sale', interest: 'trade', extras: ['buy', 'trade'], miles: '12000' })
})

test('invalid values are left out, and those that are not asked yet are kept', () => {
  const query: [string, string][] = [
    ['interest', 'sell'],
    ['miles', '5'],
    ['miles', '6'],
    ['utm_campaign', 'x'.repeat(600)],
  ]
  expect(prefill(query)).toEqual({ miles: '5' })
})
