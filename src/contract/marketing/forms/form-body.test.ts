import { expect, test } from 'vitest'
import { compileDefinition } from '#contract/questions/compile.ts'
import { answersOf, campaignOf, lineOf } from './form-body.ts'

const en = (text: string) => ({ en: text })
const FORM = compileDefinition({
  languages: ['en'],
  sections: [
    {
      id: 'you',
      title: en('You'),
      questions: [
        { type: 'text', code: 'name', title: en('Name') },
        { type: 'number', code: 'budget', title: en('Budget') },
      ],
    },
    {
      id: 'wish',
      title: en('Wish'),
      questions: [{ type: 'text', code: 'color', title: en('Color') }],
    },
  ],
})
const read = (text: string, sections: readonly string[]) =>
  answersOf(new URLSearchParams(text), FORM, { sections: new Set(sections), language: 'en' })

test('a step reads only its own questions, so that it empties no other', () => {
  const body = 'name=Ann&budget=%2425%2C000&color=red&fc-token=1&unknown=x'
  expect(read(body, ['you', 'wish'])).toEqual({ name: 'Ann', budget: '25000', color: 'red' })
  expect(read(body, ['you'])).toEqual({ name: 'Ann', budget: '25000' })
  expect(read(body, [])).toEqual({})
})

test('campaign parameters are single lines of limited length', () => {
  const query = new URLSearchParams(
    `utm_source=news%0Aletter&utm_medium=&other=1&utm_term=${'x'.repeat(900)}`,
  )
  expect(campaignOf(query)).toEqual({ utm_source: 'news letter', utm_term: 'x'.repeat(200) })
  expect(lineOf(' \u0000 ')).toBeNull()
})
