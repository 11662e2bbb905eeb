import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_HISTORY, remember, travel } from '#web/ui/history/history.ts'
import { compareDefinitions, isEqual } from '#contract/questions/changes.ts'
import { Definition, type Question } from '#contract/questions/definition.ts'
import { NO_SCORING, type QuestionScore } from '#contract/questions/scores/scoring.ts'
import type { Versions } from '#web/ui/record/merge-changes.ts'
import {
  addQuestion,
  addSection,
  changeQuestion,
  changeScore,
  type Content,
  moveQuestionTo,
  moveSection,
  placeOf,
  questionsIn,
  removeQuestion,
  removeSection,
  renameCode,
} from './content-changes.ts'
import { mergeContent, mergeMemory } from './merge-content.ts'

const ask = (code: string): Question => ({ type: 'text', code, title: { en: `Title of ${code}` } })
const BASE: Content = {
  draft: {
    languages: ['en'],
    sections: [
      { id: 'section1', title: { en: 'One' }, questions: ['a', 'b', 'c'].map(ask) },
      { id: 'section2', title: { en: 'Two' }, questions: ['d', 'e'].map(ask) },
      { id: 'section3', title: { en: 'Three' }, questions: [ask('f')] },
    ],
  },
  scoring: NO_SCORING,
  named: { email: 'a' },
}

type Step =
  | { do: 'title' | 'help' | 'remove' | 'add'; code: string; text: number }
  | { do: 'move'; code: string; section: number; at: number }
  | { do: 'moveSection' | 'removeSection' | 'addSection'; id: string }

const code = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('title', 'help', 'help', 'remove', 'add'), code, text: fc.nat(2) }),
  fc.record({ do: fc.constant('move'), code, section: fc.nat(2), at: fc.nat(2) }),
  fc.record({
    do: fc.constantFrom('moveSection', 'removeSection', 'addSection'),
    id: fc.constantFrom('section1', 'section2', 'section3'),
  }),
)

/** Applies a step as the builder does. `who` names what is added. */
function take(content: Content, one: Step, who: string): Content {
  if ('id' in one) {
    const chosen = { section: one.id, question: null }
    if (one.do === 'addSection') return addSection(content, chosen, 'section').content
    const changed =
      one.do === 'moveSection' ? moveSection(content, one.id, 1) : removeSection(content, one.id)
    return changed?.content ?? content
  }
  if (one.do === 'move') return moveQuestionTo(content, one.code, one)?.content ?? content
  if (one.do === 'remove') return removeQuestion(content, one.code)?.content ?? content
  const question = placeOf(content, one.code)?.question
  if (question === undefined) return content
  if (one.do === 'add') {
    const { content: added, chosen } = addQuestion(content, { section: '', question: one.code }, 'text')
    const made = placeOf(added, chosen.question ?? '')?.question
    return made ? changeQuestion(added, { ...made, title: { en: `Added by ${who} ${one.text}` } }) : added
  }
  return changeQuestion(content, { ...question, [one.do]: { en: `${who} ${one.text}` } })
}

const steps = fc.array(step, { maxLength: 6 })
const versions: fc.Arbitrary<Versions<Content>> = fc.tuple(steps, steps).map(([mine, theirs]) => ({
  base: BASE,
  mine: mine.reduce((content, one) => take(content, one, 'me'), BASE),
  theirs: theirs.reduce((content, one) => take(content, one, 'them'), BASE),
}))

const titles = (content: Content) => questionsIn(content).map(({ title }) => title['en'])
const codes = (content: Content) => questionsIn(content).map((question) => question.code)

test('whatever two people do to the same questions, nothing that one of them did alone is lost', () => {
  fc.assert(
    fc.property(versions, ({ base, mine, theirs }) => {
      const merged = mergeContent({ base, mine, theirs })
      expect(new Set(codes(merged)).size).toBe(codes(merged).length)
      expect(new Set(merged.draft.sections.map(({ id }) => id)).size).toBe(merged.draft.sections.length)
      expect(Definition.safeParse(merged.draft).success).toBe(true)
      for (const one of [mine, theirs]) {
        const added = titles(one).filter((title) => title?.startsWith('Added by '))
        expect(titles(merged)).toEqual(expect.arrayContaining(added))
        const ids = one.draft.sections.map(({ id }) => id).filter((id) => id === 'section4')
        expect(merged.draft.sections.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
      }
      for (const former of questionsIn(base)) {
        const of = (content: Content) => placeOf(content, former.code)
        const [own, other, found] = [of(mine)?.question, of(theirs)?.question, of(merged)?.question]
        const wanted = (key: 'title' | 'help') => (isEqual(own?.[key], former[key]) ? other : own)?.[key]
        // One removed it: it is gone, unless this user changed what the other one removed.
        const isGone = own === undefined || (other === undefined && isEqual(own, former))
        const isChanged = own !== undefined && other !== undefined
        expect(found === undefined).toBe(isGone)
        expect(isChanged && found?.title).toEqual(isChanged && wanted('title'))
        expect(isChanged && found?.help).toEqual(isChanged && wanted('help'))
      }
    }),
    { numRuns: 600 },
  )
})

const edit = (content: Content, at: string, help: string): Content => {
  const question = placeOf(content, at)?.question
  return question ? changeQuestion(content, { ...question, help: { en: help } }) : content
}
const lost = (all: Versions<Content>) =>
  compareDefinitions(mergeContent(all, 'theirs').draft, mergeContent(all, 'mine').draft).map(
    ({ message }) => message,
  )

test('a question that is moved by one and changed by the other is in its new place with its change', () => {
  const moved = moveQuestionTo(BASE, 'a', { section: 1, at: 1 })?.content ?? BASE
  for (const [mine, theirs] of [
    [moved, edit(BASE, 'a', 'Why')],
    [edit(BASE, 'a', 'Why'), moved],
  ] as const) {
    const merged = mergeContent({ base: BASE, mine, theirs })
    expect(codes(merged)).toEqual(['b', 'c', 'd', 'a', 'e', 'f'])
    expect(placeOf(merged, 'a')?.question.help).toEqual({ en: 'Why' })
    expect(lost({ base: BASE, mine, theirs })).toEqual([])
  }
})

test('a question that one removed and the other changed is a conflict', () => {
  const removed = removeQuestion(BASE, 'b')?.content ?? BASE
  const changed = edit(BASE, 'b', 'Why')
  expect(codes(mergeContent({ base: BASE, mine: changed, theirs: removed }))).toContain('b')
  expect(codes(mergeContent({ base: BASE, mine: removed, theirs: changed }))).not.toContain('b')
  expect(lost({ base: BASE, mine: changed, theirs: removed })).toEqual(['Title of b: added.'])
  expect(lost({ base: BASE, mine: removed, theirs: changed })).toEqual(['Title of b: removed.'])
})

test('two new questions with the same code both stay, each with what names it', () => {
  const add = (who: string): Content => {
    const { content } = addQuestion(BASE, { section: 'section1', question: 'a' }, 'text')
    const question = placeOf(content, 'question')?.question
    if (question === undefined) throw new Error('Nothing was added.')
    const named = changeQuestion(content, { ...question, title: { en: who } })
    const score: QuestionScore = {
      kind: 'ranges',
      question: 'question',
      weight: who === 'me' ? '2' : '3',
      ranges: [],
    }
    return { ...changeScore(named, 'question', score), named: { email: 'question' } }
  }
  const merged = mergeContent({ base: BASE, mine: add('me'), theirs: add('them') })
  expect(placeOf(merged, 'question')?.question.title).toEqual({ en: 'them' })
  expect(placeOf(merged, 'question2')?.question.title).toEqual({ en: 'me' })
  expect(merged.scoring.questions).toMatchObject([
    { question: 'question2', weight: '2' },
    { question: 'question', weight: '3' },
  ])
  expect(merged.named).toEqual({ email: 'question2' })
})

test('a renamed code keeps what the other one changed in the question', () => {
  const renamed = renameCode(BASE, 'a', 'first')?.content ?? BASE
  const merged = mergeContent({ base: BASE, mine: edit(BASE, 'a', 'Why'), theirs: renamed })
  expect(codes(merged)).toEqual(['first', 'b', 'c', 'd', 'e', 'f'])
  expect(placeOf(merged, 'first')?.question.help).toEqual({ en: 'Why' })
})

test('after a merge, undo takes back only what this user did, and redo does it again', () => {
  const chosen = { section: 'section1', question: 'b' }
  const mine = edit(BASE, 'b', 'Mine')
  const theirs = edit(BASE, 'a', 'Theirs')
  const before = { chosen, history: remember(NO_HISTORY, { content: BASE, chosen }, 'help') }
  const { history } = mergeMemory(before, BASE, theirs)
  const merged = mergeContent({ base: BASE, mine, theirs })
  const undone = travel(history, { content: merged, chosen }, 'past')
  expect(undone?.change.content).toEqual(theirs)
  const redone = undone && travel(undone.history, undone.change, 'future')
  expect(redone?.change.content).toEqual(merged)
})

test('a question that one deleted and the other changed returns with its contact detail and its score', () => {
  const score: QuestionScore = {
    kind: 'choices',
    question: 'a',
    weight: '3',
    points: [{ value: 'x', points: '5' }],
  }
  const base = changeScore(BASE, 'a', score)
  expect(base.scoring.questions).toHaveLength(1)
  const deleted = removeQuestion(base, 'a')?.content ?? base
  const place = placeOf(base, 'a')?.question ?? ask('a')
  const renamed = changeQuestion(base, { ...place, title: { en: 'Renamed' } })
  for (const [mine, theirs] of [
    [renamed, deleted],
    [deleted, renamed],
  ] as const) {
    const winner = mine === renamed ? 'mine' : 'theirs'
    const merged = mergeContent({ base, mine, theirs }, winner)
    expect(placeOf(merged, 'a')?.question.title).toEqual({ en: 'Renamed' })
    expect(merged.named).toEqual(base.named)
    expect(merged.scoring).toEqual(base.scoring)
  }
})

test('a section that one deleted and in which the other changed a question returns with its place, weight and minimum', () => {
  const base: Content = {
    ...BASE,
    scoring: {
      ...NO_SCORING,
      sections: [{ section: 'section2', weight: '3' }],
      bands: [{ from: '50', title: { en: 'Good' }, needs: [{ section: 'section2', from: '40' }] }],
    },
  }
  const theirs = removeSection(base, 'section2')?.content ?? base
  expect([theirs.scoring.sections, theirs.scoring.bands[0]?.needs ?? []]).toEqual([[], []])
  const mine = changeQuestion(base, { ...ask('d'), title: { en: 'Renamed' } })
  const merged = mergeContent({ base, mine, theirs })
  expect(merged.draft.sections.map(({ id }) => id)).toEqual(['section1', 'section2', 'section3'])
  expect(merged.scoring).toEqual(base.scoring)
  expect(placeOf(merged, 'd')?.question.title).toEqual({ en: 'Renamed' })
})

test('what one deleted returns if the other gave it a weight, a minimum or a contact detail', () => {
  const base: Content = {
    ...BASE,
    scoring: { ...NO_SCORING, bands: [{ from: '50', title: { en: 'Good' } }] },
  }
  const theirs = removeQuestion(removeSection(base, 'section2')?.content ?? base, 'b')?.content ?? base
  const changes: readonly Partial<Content>[] = [
    { scoring: { ...base.scoring, sections: [{ section: 'section2', weight: '5' }] } },
    {
      scoring: {
        ...base.scoring,
        bands: [{ from: '50', title: { en: 'Good' }, needs: [{ section: 'section2', from: '60' }] }],
      },
    },
  ]
  for (const change of changes) {
    for (const winner of ['mine', 'theirs'] as const) {
      const merged = mergeContent({ base, mine: { ...base, ...change }, theirs }, winner)
      expect(merged.draft.sections.map(({ id }) => id)).toEqual(['section1', 'section2', 'section3'])
      expect(merged.scoring).toEqual(change.scoring)
      expect(questionsIn(merged).map(({ code: one }) => one)).toEqual(['a', 'c', 'd', 'e', 'f'])
    }
  }
  const named = mergeContent({ base, mine: { ...base, named: { email: 'b' } }, theirs })
  expect(placeOf(named, 'b')).not.toBeNull()
  expect(named.named).toEqual({ email: 'b' })
})
