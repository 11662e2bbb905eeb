import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TargetState } from '#contract/assessments/targets/target-states.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { scoreAnswers } from '#contract/questions/scores/score-answers.ts'
import { Scoring } from '#contract/questions/scores/scoring.ts'
import { StoredScores } from '#contract/questions/scores/score-schema.ts'
import { compareYears, findGaps, gapsAt, type ScoredTarget, summarizeScores } from './summarize.ts'

const en = (text: string) => ({ en: text })
const choices = ['no', 'half', 'full'].map((value) => ({ value, title: en(value) }))
const definition = Definition.parse({
  languages: ['en'],
  sections: ['energy', 'waste'].map((id) => ({
    id,
    title: en(id),
    questions: ['1', '2'].map((number) => ({
      type: 'single',
      code: `${id}${number}`,
      title: en(`${id} ${number}`),
      choices,
    })),
  })),
})
const scoring = Scoring.parse({
  questions: ['energy1', 'energy2', 'waste1'].map((question) => ({
    kind: 'choices',
    question,
    weight: question === 'energy1' ? '3' : '1',
    points: [
      { value: 'half', points: '1' },
      { value: 'full', points: '2' },
    ],
    action: en(`Improve ${question}`),
  })),
  sections: [],
  bands: [
    { from: '0', title: en('Start') },
    { from: '50', title: en('Silver') },
  ],
  levels: [],
  unanswered: 'zero',
  hasTotal: true,
})
const compiled = compileDefinition(definition)
const asked = { definition, scoring }
let ids = 0

function target(
  answers: Record<string, string>,
  more: { state?: TargetState; place?: string } = {},
): ScoredTarget {
  const evaluation = evaluateAnswers(compiled, answers, {
    language: 'en',
    now: new Date('2026-11-25T12:00:00Z'),
    zone: 'UTC',
    setAside: true,
  })
  ids += 1
  return {
    targetId: String(ids),
    name: `Site ${ids}`,
    organizationId: '1',
    organizationName: 'Northgate',
    place: more.place ?? String(ids),
    state: more.state ?? 'approved',
    scores: StoredScores.parse(scoreAnswers(compiled, evaluation, scoring)),
  }
}
const none = () => 0

test('scores that may still change count nowhere', () => {
  const full = { energy1: 'full', energy2: 'full', waste1: 'full' }
  const targets = [target(full), target({ energy1: 'no' }, { state: 'in_progress' })]
  const { targets: results, final, meanTotal, sectionMeans, sections } = summarizeScores(asked, targets, [])
  expect(results.map(({ total, band, isFinal }) => [total, band, isFinal])).toEqual([
    ['100.0', 'Silver', true],
    [null, null, false],
  ])
  expect({ final, meanTotal, sectionMeans }).toEqual({
    final: 1,
    meanTotal: '100.0',
    sectionMeans: ['100.0', '100.0'],
  })
  // A section without any points is no part of the results.
  expect(sections.map(({ id }) => id)).toEqual(['energy', 'waste'])
  expect(findGaps(asked, targets, none)).toEqual([])
})

test('years are compared on the targets that have a score in both', () => {
  const before = [
    target({ energy1: 'full', energy2: 'full', waste1: 'no' }, { place: 'a' }),
    target({ energy1: 'full', energy2: 'full', waste1: 'full' }, { place: 'gone' }),
    target({ waste1: 'full' }, { place: 'b', state: 'changes_requested' }),
  ]
  const now = [
    target({ energy1: 'full', energy2: 'full', waste1: 'full' }, { place: 'a' }),
    target({ waste1: 'no' }, { place: 'b' }),
    target({ waste1: 'no' }, { place: 'new' }),
  ]
  const { targets } = summarizeScores(asked, now, before)
  expect(targets.map(({ previousTotal }) => previousTotal)).toEqual(['50.0', null, null])
  expect(compareYears(targets)).toEqual({ targets: 1, mean: '100.0', meanBefore: '50.0' })
})

test('gaps are sorted by the points that all targets together could gain', () => {
  const targets = [
    target({ energy1: 'half', energy2: 'full', waste1: 'full' }),
    target({ energy1: 'full', energy2: 'no', waste1: 'no' }),
  ]
  const gaps = findGaps(asked, targets, (code) => (code === 'waste1' ? 2 : 0))
  expect(gaps.map((one) => [one.questionCode, one.meanGain, one.targets, one.of, one.openActions])).toEqual([
    ['waste1', '50.0', 1, 2, 2],
    ['energy1', '18.7', 1, 2, 0],
    ['energy2', '12.5', 1, 2, 0],
  ])
  expect(gaps[0]).toMatchObject({ action: 'Improve waste1', title: 'waste 1', section: 'waste' })
  expect(gapsAt('waste1', targets, none)).toMatchObject([
    { targetId: targets[1]?.targetId, gain: '50.0', contribution: '0.0', possible: '50.0' },
  ])
})

test('for any answers, what a target could gain and its score add up to 100', () => {
  const answer = fc.constantFrom('no', 'half', 'full')
  fc.assert(
    fc.property(fc.record({ energy1: answer, energy2: answer, waste1: answer }), (answers) => {
      const one = target(answers)
      const gains = ['energy1', 'energy2', 'waste1'].flatMap((code) => gapsAt(code, [one], none))
      const total = gains.reduce((sum, { gain }) => sum + Number(gain), Number(one.scores?.total?.score))
      // Each share is rounded to a tenth.
      expect(Math.abs(total - 100)).toBeLessThanOrEqual(0.2)
    }),
    { numRuns: 27 },
  )
})
