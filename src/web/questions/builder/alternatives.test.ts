import { expect, test } from 'vitest'
import { checkDefinition } from '#contract/questions/check-definition.ts'
import { Definition, type Question } from '#contract/questions/definition.ts'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import { alternativesTo, groupOwner, withAlternatives, withoutLoneGroups } from './alternatives.ts'
import {
  addQuestion,
  adoptQuestion,
  changeType,
  type Content,
  moveQuestionTo,
  placeOf,
  removeQuestion,
} from './content-changes.ts'

const en = (text: string) => ({ en: text })
const CONTENT: Content = {
  draft: Definition.parse({
    languages: ['en'],
    sections: [
      {
        id: 'you',
        title: en('You'),
        questions: [
          { type: 'text', code: 'name', title: en('Name') },
          { type: 'email', code: 'email', title: en('Email'), obligation: 'required' },
          { type: 'note', code: 'intro', title: en('Intro'), text: en('Hello') },
          { type: 'phone', code: 'phone', title: en('Phone'), requiredIf: 'email == null' },
          { type: 'text', code: 'fax', title: en('Fax') },
        ],
      },
      { id: 'more', title: en('More'), questions: [{ type: 'text', code: 'more', title: en('More') }] },
    ],
  }),
  named: {},
  scoring: NO_SCORING,
}
const questionOf = (content: Content, code: string): Question => {
  const place = placeOf(content, code)
  if (place === null) throw new Error(code)
  return place.question
}
const codesOf = ({ draft }: Content) => draft.sections[0]?.questions.map(({ code }) => code)
const groupsOf = ({ draft }: Content) =>
  draft.sections.flatMap(({ questions }) =>
    questions.flatMap(({ code, oneOf }) => (oneOf === undefined ? [] : [`${code} ${oneOf}`])),
  )

test('the other questions of the section that people answer can be alternatives', () => {
  const { possible, chosen } = alternativesTo(CONTENT, questionOf(CONTENT, 'email'))
  expect(possible.map(({ code }) => code)).toEqual(['name', 'phone', 'fax'])
  expect(chosen).toEqual([])
})

const BOTH = withAlternatives(CONTENT, 'email', ['phone'])

test('alternatives stand next to each other, and none of them is required itself', () => {
  expect(codesOf(BOTH)).toEqual(['name', 'email', 'phone', 'intro', 'fax'])
  expect(groupsOf(BOTH)).toEqual(['email group', 'phone group'])
  expect(questionOf(BOTH, 'email')).not.toHaveProperty('obligation')
  expect(questionOf(BOTH, 'phone')).not.toHaveProperty('requiredIf')
  expect(checkDefinition(BOTH.draft).isPublishable).toBe(true)
  expect(alternativesTo(BOTH, questionOf(BOTH, 'phone')).chosen.map(({ code }) => code)).toEqual(['email'])
})

test('one more joins the group, and a question of another group leaves that one', () => {
  const three = withAlternatives(BOTH, 'email', ['phone', 'fax'])
  expect(groupsOf(three)).toEqual(['email group', 'phone group', 'fax group'])
  expect(codesOf(three)).toEqual(['name', 'email', 'phone', 'fax', 'intro'])
  const other = withAlternatives(BOTH, 'name', ['phone'])
  expect(groupsOf(other)).toEqual(['name group2', 'phone group2'])
})

test('without others, or with one left, there is no group', () => {
  expect(groupsOf(withAlternatives(BOTH, 'email', []))).toEqual([])
  for (const change of [removeQuestion(BOTH, 'phone'), moveQuestionTo(BOTH, 'phone', { section: 1, at: 0 })])
    expect(groupsOf(withoutLoneGroups(change?.content ?? BOTH))).toEqual([])
  expect(groupsOf(withoutLoneGroups(changeType(BOTH, questionOf(BOTH, 'phone'), 'note')))).toEqual([])
  expect(groupsOf(withoutLoneGroups(changeType(BOTH, questionOf(BOTH, 'phone'), 'text')))).toHaveLength(2)
  expect(withoutLoneGroups(BOTH)).toBe(BOTH)
})

test('a question that is added at one of them goes behind all of them', () => {
  const { content } = addQuestion(BOTH, { section: 'you', question: 'email' }, 'text')
  expect(codesOf(content)).toEqual(['name', 'email', 'phone', 'question', 'intro', 'fax'])
  expect(checkDefinition(content.draft).isPublishable).toBe(true)
})

test('a question of the bank comes without the group it was in', () => {
  const { change } = adoptQuestion(
    CONTENT,
    { section: 'more', question: null },
    {
      question: questionOf(BOTH, 'phone'),
      score: null,
    },
  )
  expect(groupsOf(change.content)).toEqual([])
})

test('the first question with a message has the one of the group', () => {
  expect(groupOwner(BOTH, questionOf(BOTH, 'phone')).code).toBe('email')
  const phone: Question = { ...questionOf(BOTH, 'phone'), messages: { required: en('How?') } }
  const [first, ...rest] = BOTH.draft.sections
  if (first === undefined) throw new Error('No section.')
  const questions = first.questions.map((one) => (one.code === 'phone' ? phone : one))
  const changed = { ...BOTH, draft: { ...BOTH.draft, sections: [{ ...first, questions }, ...rest] } }
  expect(groupOwner(changed, questionOf(changed, 'email')).code).toBe('phone')
})
