import { expect, test } from 'vitest'
import type { Definition } from '#contract/questions/definition.ts'
import { answersOf, campaignOf, fieldsOfAnswers, lineOf, prefillOf } from './form-body.ts'

const en = (text: string) => ({ en: text })
const DEFINITION: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'you',
      title: en('You'),
      questions: [
        { type: 'text', code: 'name', title: en('Name') },
        { type: 'number', code: 'budget', title: en('Budget') },
        { type: 'boolean', code: 'trade', title: en('Trade-in?') },
        { type: 'text', code: 'ad', title: en('Ad'), isHidden: true, prefill: 'ad' },
      ],
    },
    {
      id: 'wish',
      title: en('Wish'),
      questions: [
        {
          type: 'multiple',
          code: 'colors',
          title: en('Colors'),
          allowOther: true,
          choices: [
            { value: 'red', title: en('Red') },
            { value: 'blue', title: en('Blue') },
          ],
        },
        { type: 'rating', code: 'stars', title: en('Stars'), max: 5 },
        {
          type: 'consent',
          code: 'mail',
          title: en('Email'),
          text: en('Yes'),
          version: 3,
          purpose: 'marketing',
          channels: ['email'],
        },
      ],
    },
  ],
}
const ALL = new Set(['you', 'wish'])
const read = (text: string, sections: ReadonlySet<string> = ALL) =>
  answersOf(new URLSearchParams(text), DEFINITION, sections)

test('fields become answers of the right type', () => {
  expect(
    read(
      'q-name=Ann&q-budget=%2425%2C000&q-trade=no&q-colors=red&q-colors=fc-other&q-colors-other=Teal&q-stars=4&q-mail=3',
    ),
  ).toEqual({
    name: 'Ann',
    budget: '25000',
    trade: false,
    colors: ['red', { other: 'Teal' }],
    stars: 4,
    mail: { isGiven: true, version: 3 },
  })
})

test('a step reads only its own questions, so that it empties no other', () => {
  expect(read('q-name=Ann&q-colors=red', new Set(['you']))).toEqual({ name: 'Ann' })
  expect(read('q-colors=red', new Set(['you']))).toEqual({})
})

test('a box that is not checked is no consent, nor is one with another version', () => {
  expect(read('')['mail']).toEqual({ isGiven: false, version: 3 })
  expect(read('q-mail=2')['mail']).toEqual({ isGiven: false, version: 3 })
})

test('what is not a number stays as it was typed', () => {
  expect(read('q-budget=a%20lot')['budget']).toBe('a lot')
  expect(read('q-budget=12%2C34')['budget']).toBe('12,34')
})

test('answers fill in the same fields again', () => {
  const answers = read(
    'q-name=Ann&q-budget=100&q-trade=yes&q-colors=blue&q-colors=fc-other&q-colors-other=Teal&q-stars=2&q-mail=3',
  )
  expect(answersOf(new URLSearchParams(fieldsOfAnswers(answers, DEFINITION)), DEFINITION, ALL)).toEqual(
    answers,
  )
})

test('campaign and prefilled parameters are single lines of limited length', () => {
  const query = new URLSearchParams(`utm_source=news%0Aletter&utm_medium=&other=1&ad=${'x'.repeat(900)}`)
  expect(campaignOf(query)).toEqual({ utm_source: 'news letter' })
  expect(prefillOf(query, DEFINITION)['ad']).toHaveLength(500)
  expect(lineOf(' \u0000 ')).toBeNull()
})
