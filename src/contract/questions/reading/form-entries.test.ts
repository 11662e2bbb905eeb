import { expect, test } from 'vitest'
import { compileDefinition } from '../compile.ts'
import { Definition } from '../definition.ts'
import { evaluateAnswers } from '../evaluate.ts'
import { readFormEntries, writeFormEntries } from './form-entries.ts'

const en = (text: string) => ({ en: text })
const choices = ['buy', 'trade'].map((value) => ({ value, title: en(value) }))

const compiled = compileDefinition(
  Definition.parse({
    languages: ['en', 'de'],
    sections: [
      {
        id: 'all',
        title: en('All'),
        questions: [
          { type: 'text', code: 'name', title: en('Name') },
          { type: 'number', code: 'miles', title: en('Miles') },
          { type: 'date', code: 'visit', title: en('Visit') },
          { type: 'boolean', code: 'financing', title: en('Financing') },
          { type: 'single', code: 'interest', title: en('Interest'), choices, allowOther: true },
          { type: 'multiple', code: 'extras', title: en('Extras'), choices, allowOther: true },
          { type: 'rating', code: 'stars', title: en('Stars'), max: 5 },
          {
            type: 'matrix',
            code: 'grid',
            title: en('Grid'),
            choices,
            rows: ['first', 'second'].map((code) => ({ code, title: en(code) })),
          },
          {
            type: 'table',
            code: 'meters',
            title: en('Meters'),
            columns: [
              { type: 'text', code: 'meter', title: en('Meter') },
              { type: 'number', code: 'used', title: en('Used'), total: 'usedInAll' },
            ],
          },
          { type: 'address', code: 'home', title: en('Home'), country: 'US' },
          { type: 'person', code: 'owner', title: en('Owner') },
          {
            type: 'consent',
            code: 'calls',
            title: en('Calls'),
            text: en('Call me.'),
            version: 2,
            purpose: 'inquiry',
            channels: ['call'],
          },
          { type: 'number', code: 'water', title: en('Water'), obligation: 'ifApplicable' },
          { type: 'number', code: 'pay', title: en('Pay'), obligation: 'mayRefuse' },
        ],
      },
    ],
  }),
)

function post(entries: [string, string][], language = 'en') {
  const answers = readFormEntries(compiled, entries, language)
  const now = new Date('2026-11-25T15:00:00Z')
  return evaluateAnswers(compiled, answers, { language, now, zone: 'UTC' })
}

test('a posted form becomes typed answers', () => {
  const { problems, answers, totals } = post([
    ['name', ' Ann '],
    ['miles', '12,500'],
    ['visit', '12/24/2026'],
    ['financing', 'true'],
    ['interest', 'other'],
    ['interest.other', 'Lease'],
    ['extras', 'trade'],
    ['extras', 'buy'],
    ['extras.other', ''],
    ['stars', '4'],
    ['grid.first', 'buy'],
    ['meters.0.meter', 'A'],
    ['meters.0.used', '1.5'],
    ['meters.1.meter', ''],
    ['meters.2.used', '2'],
    ['home.city', 'Columbus'],
    ['home.postalCode', '432151234'],
    ['owner.name', 'Lee'],
    ['calls', '2'],
    ['water.notApplicable', 'true'],
    ['pay.refused', 'Confidential'],
  ])
  expect(problems).toEqual([])
  expect(answers).toEqual({
    name: 'Ann',
    miles: '12500',
    visit: '2026-12-24',
    financing: true,
    interest: { other: 'Lease' },
    extras: ['buy', 'trade'],
    stars: 4,
    grid: { first: 'buy' },
    meters: [{ meter: 'A', used: '1.5' }, { used: '2' }],
    home: { city: 'Columbus', postalCode: '43215-1234' },
    owner: { name: 'Lee' },
    calls: { isGiven: true, version: 2 },
    water: { notApplicable: true },
    pay: { refused: 'Confidential' },
  })
  expect(totals).toEqual({ usedInAll: '3.5' })
})

test('numbers and dates are read as the language writes them', () => {
  const { answers } = post(
    [
      ['miles', '12.500,5'],
      ['visit', '24.12.2026'],
      ['water', '1'],
      ['pay', '1'],
    ],
    'de',
  )
  expect(answers).toMatchObject({ miles: '12500.5', visit: '2026-12-24' })
})

test('what a question cannot take is refused, not changed', () => {
  const { problems } = post([
    ['name', 'Ann'],
    ['name', 'Lee'],
    ['miles', 'many'],
    ['visit', 'soon'],
    ['financing', 'perhaps'],
    ['interest', 'other'],
    ['stars', '99'],
    ['grid.third', 'buy'],
    ['meters.0.price', '1'],
    ['calls', 'on'],
    ['color', 'red'],
    ['water', '1'],
    ['pay', '1'],
  ])
  expect(problems.map(({ question, code }) => `${question} ${code}`)).toEqual([
    'grid.third unknown',
    'meters.0.price unknown',
    'color unknown',
    'name wrongType',
    'miles notANumber',
    'visit notADate',
    'financing wrongType',
    'interest otherRequired',
    'stars rating',
    'calls wrongType',
  ])
})

test('the text for another choice is not needed when a listed one was made after all', () => {
  const { answers, problems } = post([
    ['interest', 'buy'],
    ['interest.other', 'Lease'],
    ['water', '1'],
    ['pay', '1'],
  ])
  expect(answers.interest).toBe('buy')
  expect(problems).toEqual([])
})

test('an amount may have a currency sign', () => {
  expect(
    post([
      ['miles', '$ 12,500.50'],
      ['water', '1'],
      ['pay', '1'],
    ]).answers.miles,
  ).toBe('12500.5')
  expect(
    post(
      [
        ['miles', '12.500,50 €'],
        ['water', '1'],
        ['pay', '1'],
      ],
      'de',
    ).answers.miles,
  ).toBe('12500.5')
})

test('stored answers fill in the inputs of every type', () => {
  const answers = {
    miles: '12500.5',
    financing: false,
    interest: { other: 'Lease' },
    extras: ['buy', { other: 'x' }],
    stars: 4,
    grid: { first: 'buy' },
    meters: [{ meter: 'A', used: '1.5' }, { used: '2' }],
    home: { city: 'Columbus' },
    calls: { isGiven: true, version: 2 },
    water: { notApplicable: true },
    pay: { refused: 'Confidential' },
  } as const
  const entries = writeFormEntries(compiled, answers, 'de')
  expect(entries).toEqual([
    ['miles', '12500,5'],
    ['financing', 'false'],
    ['interest', 'other'],
    ['interest.other', 'Lease'],
    ['extras', 'buy'],
    ['extras', 'other'],
    ['extras.other', 'x'],
    ['stars', '4'],
    ['grid.first', 'buy'],
    ['meters.0.meter', 'A'],
    ['meters.0.used', '1,5'],
    ['meters.1.used', '2'],
    ['home.city', 'Columbus'],
    ['calls', '2'],
    ['water.notApplicable', 'true'],
    ['pay.refused', 'Confidential'],
  ])
  expect(readFormEntries(compiled, entries, 'de')).toEqual(answers)
})
