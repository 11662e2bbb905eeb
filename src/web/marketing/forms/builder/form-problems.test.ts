import { describe, expect, test } from 'vitest'
import type { Definition } from '#contract/questions/definition.ts'
import { blankQuestion } from '#web/questions/builder/question-types.ts'
import { CONTACT, findProblems } from './form-problems.ts'
import { proposeLeadFields } from './propose-lead-fields.ts'

const en = (text: string) => ({ en: text })
const LEAD_FIELDS = { fullName: 'name', email: 'email' }
const DRAFT: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'you',
      title: en('You'),
      questions: [
        { type: 'text', code: 'name', title: en('Name') },
        { type: 'email', code: 'email', title: en('Email') },
      ],
    },
  ],
}
const [YOU = { id: 'you', title: en('You'), questions: [] }] = DRAFT.sections
const ask = (...questions: (typeof YOU)['questions']): Definition => ({
  ...DRAFT,
  sections: [{ ...YOU, questions: [...YOU.questions, ...questions] }],
})

describe('problems', () => {
  test('name the question, errors first', () => {
    const draft = ask({ ...blankQuestion('single', 'time'), title: en('') })
    const problems = findProblems({ draft, leadFields: {} })
    expect(problems.map(({ about, question }) => [about, question])).toContainEqual([null, 'time'])
    expect(problems.map(({ about }) => about)).toContain(CONTACT)
    const severities = problems.map(({ severity }) => severity)
    expect(severities).toEqual(severities.toSorted())
  })

  test('a form of one step needs no title of the step', () => {
    const draft: Definition = { languages: ['en'], sections: [{ ...YOU, title: en('') }] }
    expect(findProblems({ draft, leadFields: LEAD_FIELDS })).toEqual([])
  })

  test('types that forms cannot ask are reported', () => {
    const draft = ask(blankQuestion('facility', 'facility'))
    expect(findProblems({ draft, leadFields: LEAD_FIELDS }).map(({ message }) => message)).toEqual([
      `Forms can't include questions like "facility". Change its type.`,
    ])
  })
})

test('contact details are proposed from types and titles, and chosen ones stay', () => {
  expect(proposeLeadFields(DRAFT, {})).toEqual({ email: 'email', fullName: 'name' })
  expect(proposeLeadFields(DRAFT, { comments: 'name' })).toEqual({ comments: 'name', email: 'email' })
})
