import { expect, test } from 'vitest'
import { compileDefinition } from '#contract/questions/compile.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { narrowDefinition } from './narrow-definition.ts'

const en = (text: string) => ({ en: text })
const DEFINITION: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'site',
      title: en('Site'),
      questions: [
        { type: 'boolean', code: 'refilled', title: en('Refilled?') },
        { type: 'text', code: 'who', title: en('Who?'), visibleIf: 'refilled' },
      ],
    },
    {
      id: 'gas',
      title: en('Gas'),
      visibleIf: 'refilled',
      questions: [
        {
          type: 'table',
          code: 'refills',
          title: en('Refills'),
          minRows: 1,
          columns: [{ type: 'number', code: 'amount', title: en('Amount'), total: 'sum_lb' }],
        },
        {
          type: 'computed',
          code: 'twice',
          title: en('Twice'),
          calculate: 'sum_lb * 2.0',
          result: 'number',
        },
        { type: 'text', code: 'note', title: en('Note'), requiredIf: 'sum_lb > 0.0' },
      ],
    },
  ],
}
const codesOf = ({ sections }: Definition) =>
  sections.flatMap(({ questions }) => questions.map(({ code }) => code))

test('a delegate gets only their questions, without rules that name others', () => {
  const narrow = narrowDefinition(DEFINITION, { questions: new Set(['note']), rows: new Map() })
  expect(narrow.sections).toEqual([
    { id: 'gas', title: en('Gas'), questions: [{ type: 'text', code: 'note', title: en('Note') }] },
  ])
  expect(() => compileDefinition(narrow)).not.toThrow()
})

test('rules among their own questions stay', () => {
  const questions = new Set(['refills', 'twice', 'note'])
  const narrow = narrowDefinition(DEFINITION, { questions, rows: new Map() })
  expect(codesOf(narrow)).toEqual(['refills', 'twice', 'note'])
  expect(narrow.sections[0]?.questions[2]).toMatchObject({ requiredIf: 'sum_lb > 0.0' })
  expect(narrow.sections[0]).not.toHaveProperty('visibleIf')
})

test('a computed value of answers they do not have is left out', () => {
  const narrow = narrowDefinition(DEFINITION, { questions: new Set(['twice', 'note']), rows: new Map() })
  expect(codesOf(narrow)).toEqual(['note'])
})

test('the delegate of a row cannot add others', () => {
  const narrow = narrowDefinition(DEFINITION, {
    questions: new Set(['refills']),
    rows: new Map([['refills', 1]]),
  })
  expect(narrow.sections[0]?.questions[0]).toMatchObject({ maxRows: 1 })
  expect(narrow.sections[0]?.questions[0]).not.toHaveProperty('minRows')
})

test('a delegate of some of the questions of which one is enough does not have to answer any of them', () => {
  const way = { required: en('Email or phone?') }
  const contact: Definition = {
    languages: ['en'],
    sections: [
      {
        id: 'contact',
        title: en('Contact'),
        questions: [
          { type: 'email', code: 'email', title: en('Email'), oneOf: 'contact', messages: way },
          { type: 'phone', code: 'phone', title: en('Phone'), oneOf: 'contact' },
        ],
      },
    ],
  }
  const part = narrowDefinition(contact, { questions: new Set(['email']), rows: new Map() })
  expect(part.sections[0]?.questions).toEqual([{ type: 'email', code: 'email', title: en('Email') }])
  const whole = narrowDefinition(contact, { questions: new Set(['email', 'phone']), rows: new Map() })
  expect(whole).toEqual(contact)
})
