import { describe, expect, test } from 'vitest'
import { NO_HISTORY, remember, travel } from '#web/ui/history/history.ts'
import {
  type Definition,
  type Question,
  Definition as DefinitionSchema,
} from '#contract/questions/definition.ts'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import {
  addQuestion,
  adoptQuestion,
  addSection,
  changeQuestion,
  type Change,
  codeFault,
  type Content,
  dropQuestion,
  duplicateQuestion,
  moveQuestion,
  moveQuestionTo,
  moveSection,
  placeOf,
  removeQuestion,
  removeSection,
  renameCode,
  usesOf,
  withConsentVersions,
} from './content-changes.ts'
import { QUESTION_TYPES, withType } from './question-types.ts'

const en = (text: string) => ({ en: text })
const CONTENT: Content = {
  draft: {
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
      {
        id: 'trade',
        title: en('Trade-in'),
        visibleIf: 'name != ""',
        questions: [
          { type: 'boolean', code: 'has_trade', title: en('Trade-in?') },
          {
            type: 'text',
            code: 'model',
            title: en('Model'),
            visibleIf: 'has_trade && name != "has_trade"',
          },
        ],
      },
    ],
  },
  named: { fullName: 'name', email: 'email' },
  scoring: NO_SCORING,
}
const YOU = { section: 'you', question: null }

const outline = (content: Content | undefined) =>
  content?.draft.sections.map(({ id, questions }) => `${id}: ${questions.map(({ code }) => code).join(' ')}`)
const after = (change: Change | null) => [outline(change?.content), change?.chosen.question]

describe('questions', () => {
  test('of another questionnaire keep their points and the rules that can be kept', () => {
    const question: Question = {
      type: 'single',
      code: 'name',
      title: en('Policy?'),
      choices: [{ value: 'yes', title: en('Yes') }],
      visibleIf: 'has_trade && name != "no"',
      check: 'elsewhere == 1 || today() > date("2026-01-01")',
    }
    const score = {
      kind: 'choices' as const,
      question: 'name',
      weight: '1',
      points: [{ value: 'yes', points: '2' }],
    }
    const { change, without } = adoptQuestion(
      CONTENT,
      { section: 'you', question: 'name' },
      { question, score },
    )
    expect(after(change)).toEqual([['you: name name2 email', 'trade: has_trade model'], 'name2'])
    expect(placeOf(change.content, 'name2')?.question).toEqual({
      ...question,
      code: 'name2',
      visibleIf: 'has_trade && name2 != "no"',
      check: undefined,
    })
    expect(without).toEqual(['elsewhere == 1 || today() > date("2026-01-01")'])
    expect(change.content.scoring.questions).toEqual([{ ...score, question: 'name2' }])
  })

  test('are added after the chosen one, or at the end of the chosen step', () => {
    expect(after(addQuestion(CONTENT, { section: 'you', question: 'name' }, 'email'))).toEqual([
      ['you: name email2 email', 'trade: has_trade model'],
      'email2',
    ])
    expect(after(addQuestion(CONTENT, { section: 'trade', question: null }, 'phone'))).toEqual([
      ['you: name email', 'trade: has_trade model phone'],
      'phone',
    ])
    const empty: Content = { draft: { languages: ['es'], sections: [] }, named: {}, scoring: NO_SCORING }
    expect(after(addQuestion(empty, { section: '', question: null }, 'text'))).toEqual([
      ['step1: question'],
      'question',
    ])
  })

  test('of every type are accepted by the contract', () => {
    for (const { value } of QUESTION_TYPES) {
      const { content } = addQuestion(CONTENT, YOU, value)
      expect(DefinitionSchema.safeParse(content.draft).success).toBe(true)
    }
  })

  test('are duplicated below with a code of their own', () => {
    expect(after(duplicateQuestion(CONTENT, 'name'))).toEqual([
      ['you: name name2 email', 'trade: has_trade model'],
      'name2',
    ])
  })

  test('are removed together with their contact detail; the next one is chosen', () => {
    const change = removeQuestion(CONTENT, 'name')
    expect(after(change)).toEqual([['you: email', 'trade: has_trade model'], 'email'])
    expect(change?.content.named).toEqual({ email: 'email' })
    expect(removeQuestion(CONTENT, 'nothing')).toBeNull()
  })

  test('move up and down, also into the neighboring step', () => {
    expect(after(moveQuestion(CONTENT, 'email', -1))[0]).toEqual([
      'you: email name',
      'trade: has_trade model',
    ])
    expect(after(moveQuestion(CONTENT, 'email', 1))[0]).toEqual(['you: name', 'trade: email has_trade model'])
    expect(after(moveQuestion(CONTENT, 'has_trade', -1))[0]).toEqual([
      'you: name email has_trade',
      'trade: model',
    ])
    expect(moveQuestion(CONTENT, 'name', -1)).toBeNull()
    expect(moveQuestion(CONTENT, 'model', 1)).toBeNull()
    expect(after(moveQuestionTo(CONTENT, 'name', { section: 1, at: 1 }))[0]).toEqual([
      'you: email',
      'trade: has_trade name model',
    ])
  })

  test('take the place of what they are dropped on', () => {
    expect(after(dropQuestion(CONTENT, 'model', { section: 'you', question: 'name' }))[0]).toEqual([
      'you: model name email',
      'trade: has_trade',
    ])
    expect(after(dropQuestion(CONTENT, 'name', { section: 'trade', question: null }))[0]).toEqual([
      'you: email',
      'trade: name has_trade model',
    ])
  })

  test('lose properties that are set to undefined', () => {
    const question: Question = { type: 'text', code: 'name', title: en('Name'), maxLength: 20 }
    const limited = changeQuestion(CONTENT, question)
    const free = changeQuestion(limited, { ...question, maxLength: undefined })
    expect(placeOf(free, 'name')?.question).toStrictEqual({ type: 'text', code: 'name', title: en('Name') })
  })

  test('keep what both types have when their type changes', () => {
    const choices = [{ value: 'a', title: en('A') }]
    const single: Question = { type: 'single', code: 'c', title: en('C'), obligation: 'required', choices }
    expect(withType(single, 'multiple')).toEqual({ ...single, type: 'multiple' })
    expect(withType(single, 'text')).toEqual({
      type: 'text',
      code: 'c',
      title: en('C'),
      obligation: 'required',
    })
    expect(withType(single, 'note')).toEqual({ type: 'note', code: 'c', title: en('C'), text: en('Text') })
  })
})

describe('steps', () => {
  test('are added, moved and removed', () => {
    const added = addSection(CONTENT, YOU)
    expect(outline(added.content)).toEqual(['you: name email', 'step3: ', 'trade: has_trade model'])
    expect(outline(moveSection(CONTENT, 'trade', -1)?.content)).toEqual([
      'trade: has_trade model',
      'you: name email',
    ])
    expect(moveSection(CONTENT, 'trade', 1)).toBeNull()
    const removed = removeSection(CONTENT, 'you')
    expect(outline(removed?.content)).toEqual(['trade: has_trade model'])
    expect(removed?.content.named).toEqual({})
  })
})

describe('codes', () => {
  test('are renamed in rules and contact details, but not in quoted text', () => {
    const renamed = renameCode(CONTENT, 'has_trade', 'trade')
    expect(renamed?.content.draft.sections[1]?.questions[1]?.visibleIf).toBe('trade && name != "has_trade"')
    const named = renameCode(CONTENT, 'name', 'full_name')
    expect(named?.content.draft.sections[1]?.visibleIf).toBe('full_name != ""')
    expect(named?.content.named).toEqual({ fullName: 'full_name', email: 'email' })
    expect(named?.chosen.question).toBe('full_name')
  })

  test('must be unique words', () => {
    expect(codeFault(CONTENT, 'name', 'name')).toBeNull()
    expect(codeFault(CONTENT, 'name', 'email')).toBe('Another question has this code.')
    expect(codeFault(CONTENT, 'name', 'my code')).toContain('letters, digits')
    expect(renameCode(CONTENT, 'name', 'email')).toBeNull()
  })

  test('are listed with the questions and steps that use them', () => {
    expect(usesOf(CONTENT, 'name')).toEqual(['Trade-in', 'Model'])
    expect(usesOf(CONTENT, 'email')).toEqual([])
  })
})

describe('consents', () => {
  const consent = (text: string, version: number): Definition => ({
    languages: ['en'],
    sections: [
      {
        id: 'a',
        title: en('A'),
        questions: [
          {
            type: 'consent',
            code: 'news',
            title: en('News'),
            text: en(text),
            version,
            purpose: 'marketing',
            channels: ['email'],
          },
        ],
      },
    ],
  })
  const versionOf = (text: string, published: readonly Definition[]) => {
    const changed = withConsentVersions(
      { draft: consent(text, 1), named: {}, scoring: NO_SCORING },
      published,
    )
    const question = placeOf(changed, 'news')?.question
    return question?.type === 'consent' ? question.version : null
  }

  test('get the next version when their text differs from the published one', () => {
    expect(versionOf('Yes', [])).toBe(1)
    expect(versionOf('Yes', [consent('Yes', 4)])).toBe(4)
    expect(versionOf('Yes, please', [consent('Yes', 4)])).toBe(5)
    expect(versionOf('Yes, please', [consent('Yes', 2), consent('No', 7)])).toBe(8)
  })
})

describe('undo', () => {
  const first: Change = { content: CONTENT, chosen: YOU }
  const second = addQuestion(CONTENT, YOU, 'phone')
  const third = addQuestion(second.content, YOU, 'date')

  test('goes back and forward', () => {
    const history = remember(remember(NO_HISTORY, first, null), second, null)
    const back = travel(history, third, 'past')
    expect(back?.change).toBe(second)
    const start = back && travel(back.history, back.change, 'past')
    expect(start?.change).toBe(first)
    expect(start && travel(start.history, start.change, 'past')).toBeNull()
    expect(start && travel(start.history, start.change, 'future')?.change).toBe(second)
  })

  test('takes keystrokes in one field back together', () => {
    const history = remember(remember(NO_HISTORY, first, 'title of name'), second, 'title of name')
    expect(travel(history, third, 'past')?.change).toBe(first)
    expect(remember(history, third, 'help of name').past).toEqual([first, third])
  })

  test('forgets what was undone when something else changes', () => {
    const back = travel(remember(NO_HISTORY, first, null), second, 'past')
    expect(back && remember(back.history, back.change, null).future).toEqual([])
  })
})
