import { expect, test } from 'vitest'
import type { Definition } from '#contract/questions/definition.ts'
import { formPriceFaults, questionPriceFaults } from './form-prices.ts'

const PRICE = 'Now $23,450'
const named = (en: string) => ({ en })
const draftWith = (questions: Definition['sections'][number]['questions'], title = 'Step'): Definition => ({
  languages: ['en'],
  sections: [{ id: 's1', title: named(title), questions }],
})
const single = (title: string, choice: string): Definition => ({
  ...draftWith([
    { type: 'single', code: 'q1', title: named(title), choices: [{ value: 'a', title: named(choice) }] },
  ]),
})

test('a typed price is found in every text of a form that visitors read', () => {
  for (const field of ['name', 'thankYouTitle', 'thankYouText', 'replySubject', 'replyText'] as const) {
    expect(Object.keys(formPriceFaults({ [field]: PRICE }))).toEqual([field])
    expect(Object.keys(formPriceFaults({ translations: { es: { [field]: PRICE } } }))).toEqual([
      `translations.es.${field}`,
    ])
  }
  const drafts = [
    draftWith([], PRICE),
    draftWith([{ type: 'note', code: 'n1', title: named('What is your budget?'), text: named(PRICE) }]),
    draftWith([{ type: 'text', code: 't1', title: named('Name'), help: named(PRICE) }]),
    single('When?', 'Morning ($299 a month)'),
    single('The F-150 for $38,500', 'Yes'),
  ]
  for (const draft of drafts) expect(questionPriceFaults(draft)).toMatchObject([{ severity: 'error' }])
})

test('questions about what visitors can pay may name amounts', () => {
  for (const title of [
    'What is your budget?',
    'How much do you want to pay a month?',
    'What do you still owe on it?',
    '¿Cuál es su presupuesto?',
  ])
    expect(questionPriceFaults(single(title, 'Under $20,000'))).toEqual([])
})

test('ranges to choose from are no prices, whatever the question is called', () => {
  const choose = (...titles: string[]) =>
    draftWith([
      {
        type: 'single',
        code: 'q1',
        title: named('Which trucks?'),
        choices: titles.map((title) => ({ value: title, title: named(title) })),
      },
    ])
  expect(questionPriceFaults(choose('Under $20,000', '$20,000 to $30,000', '$30,000+'))).toEqual([])
  expect(questionPriceFaults(choose('Up to 400 a month', '$500 a month or more'))).toEqual([])
  expect(questionPriceFaults(choose('F-150 for $38,500', 'Escape for $21,900'))).not.toEqual([])
})
