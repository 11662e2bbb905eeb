import { describe, expect, test } from 'vitest'
import { compileDefinition } from '../compile.ts'
import type { Definition } from '../definition.ts'
import { evaluateAnswers } from '../evaluate.ts'
import { checkScoring } from './check-scoring.ts'
import { scoreAnswers } from './score-answers.ts'
import { NO_SCORING, type Scoring } from './scoring.ts'

const en = (text: string) => ({ en: text })
const level = (value: string) => ({ value, title: en(`Level ${value}`) })
const maturity = (code: string) => ({
  type: 'single' as const,
  code,
  title: en(code),
  obligation: 'ifApplicable' as const,
  choices: ['0', '1', '2', '3', '4'].map(level),
})

const definition: Definition = {
  languages: ['en'],
  sections: [
    { id: 'management', title: en('Management'), questions: [maturity('policy'), maturity('owner')] },
    {
      id: 'energy',
      title: en('Energy'),
      questions: [
        { type: 'boolean', code: 'solar', title: en('Solar') },
        { type: 'number', code: 'share', title: en('Share'), visibleIf: 'solar' },
        {
          type: 'multiple',
          code: 'lights',
          title: en('Lights'),
          choices: ['led', 'sensor', 'timer'].map((value) => ({ value, title: en(value) })),
        },
        {
          type: 'matrix',
          code: 'doors',
          title: en('Doors'),
          rows: ['front', 'bay'].map((code) => ({ code, title: en(code) })),
          choices: ['open', 'fast'].map((value) => ({ value, title: en(value) })),
        },
        { type: 'rating', code: 'rated', title: en('Rated'), max: 5 },
        { type: 'computed', code: 'double', title: en('Double'), calculate: 'share * 2', result: 'number' },
      ],
    },
  ],
}
const levels = ['0', '1', '2', '3', '4'].map((value) => ({ value, points: value }))
const policy = { kind: 'choices' as const, question: 'policy', weight: '1', points: levels }
const owner = { kind: 'choices' as const, question: 'owner', weight: '2', points: levels }
const solar = {
  kind: 'choices' as const,
  question: 'solar',
  weight: '1',
  points: [{ value: 'true', points: '1' }],
}

function score(answers: Record<string, unknown>, more: Partial<Scoring>) {
  const scoring = { ...NO_SCORING, ...more }
  expect(checkScoring(definition, scoring).faults).toEqual([])
  const compiled = compileDefinition(definition)
  const options = { language: 'en', now: new Date('2026-11-18T15:00:00Z'), zone: 'UTC', setAside: true }
  return scoreAnswers(compiled, evaluateAnswers(compiled, answers, options), scoring)
}

describe('scores', () => {
  test('a section is the weighted average of its questions, the total that of the sections', () => {
    const result = score(
      { policy: '4', owner: '1', solar: true },
      { questions: [policy, owner, solar], sections: [{ section: 'management', weight: '3' }] },
    )
    // Management: (1 × 100 % + 2 × 25 %) / 3 = 50 %. Total: (3 × 50 % + 1 × 100 %) / 4.
    expect(result.sections.map((one) => one.score)).toEqual(['50.0', '100.0'])
    expect(result.total?.score).toBe('62.5')
    expect(result.questions).toMatchObject([
      { question: 'policy', score: '100.0', contribution: '25.0', possible: '25.0' },
      { question: 'owner', score: '25.0', contribution: '12.5', possible: '50.0' },
      { question: 'solar', contribution: '25.0' },
    ])
  })

  test('every point is explained, and what was missed says what it would add', () => {
    const { questions } = score({ policy: '3' }, { questions: [policy] })
    expect(questions[0]?.reasons.map(({ value, adds, isMet }) => [value, adds, isMet])).toEqual([
      ['3', '75.0', true],
      ['0', '0.0', false],
      ['1', '25.0', false],
      ['2', '50.0', false],
      ['4', '100.0', false],
    ])
  })

  test('contributions add up to the rounded total, though each is rounded', () => {
    const { total, questions } = score(
      { policy: '4', owner: '4', solar: true },
      {
        questions: [policy, { ...owner, weight: '1' }, solar],
        sections: [{ section: 'management', weight: '2' }],
      },
    )
    expect(total?.score).toBe('100.0')
    expect(questions.map(({ contribution }) => contribution)).toEqual(['33.4', '33.3', '33.3'])
  })

  test('an answer that does not apply is left out, and a section without any other has no score', () => {
    const result = score(
      { policy: { notApplicable: true }, owner: { notApplicable: true }, solar: true },
      { questions: [policy, owner, solar] },
    )
    expect(result.sections).toMatchObject([
      { score: null, questions: 0, answered: 0, contribution: null },
      { score: '100.0', questions: 1, answered: 1 },
    ])
    expect(result.total?.score).toBe('100.0')
    expect(result.questions[0]).toMatchObject({ state: 'notApplicable', counts: false, contribution: null })
  })

  test('an unanswered question gets no points, or does not count until it is answered', () => {
    const questions = [policy, owner]
    expect(score({ policy: '4' }, { questions, unanswered: 'zero' }).total?.score).toBe('33.3')
    const open = score({ policy: '4' }, { questions, unanswered: 'exclude' })
    expect(open.total?.score).toBe('100.0')
    expect(open.sections).toMatchObject([{ questions: 2, answered: 1 }])
    expect(score({}, { questions, unanswered: 'exclude' }).total).toMatchObject({ score: null, band: null })
  })

  test('a question that is not asked does not count', () => {
    const share = {
      kind: 'ranges' as const,
      question: 'share',
      weight: '1',
      ranges: [{ from: '50', points: '1' }],
    }
    expect(score({ solar: false, share: '80' }, { questions: [solar, share] }).total?.score).toBe('0.0')
    expect(score({ solar: false, share: '80' }, { questions: [solar, share] }).questions).toHaveLength(1)
    expect(score({ solar: true, share: '80' }, { questions: [solar, share] }).questions).toHaveLength(2)
  })

  test('numbers, ratings and computed values get the points of the highest limit they reach', () => {
    const ranges = [
      { from: '10', points: '1' },
      { from: '50.5', points: '3' },
    ]
    const of = (share: string) =>
      score(
        { solar: true, share },
        { questions: [{ kind: 'ranges', question: 'share', weight: '1', ranges }] },
      ).questions[0]
    expect([of('9.99'), of('10'), of('50.4'), of('50.5')].map((one) => one?.points)).toEqual([
      '0',
      '1',
      '1',
      '3',
    ])
    const others = score(
      { solar: true, share: '6', rated: 4 },
      {
        questions: [
          { kind: 'ranges', question: 'double', weight: '1', ranges: [{ from: '12', points: '1' }] },
          { kind: 'ranges', question: 'rated', weight: '1', ranges: [{ from: '4', points: '1' }] },
        ],
      },
    )
    expect(others.questions.map(({ points }) => points)).toEqual(['1', '1'])
  })

  test('several choices are added, up to the limit', () => {
    const points = [
      { value: 'led', points: '2' },
      { value: 'sensor', points: '1.5' },
      { value: 'timer', points: '1' },
    ]
    const of = (lights: string[], most?: string) =>
      score(
        { lights },
        { questions: [{ kind: 'choices', question: 'lights', weight: '1', points, ...(most && { most }) }] },
      ).questions[0]
    expect(of(['led', 'timer'])).toMatchObject({ points: '3', mostPoints: '4.5', score: '66.7' })
    expect(of(['led', 'timer'])?.reasons.map(({ adds }) => adds)).toEqual(['44.5', '22.2', '33.3'])
    expect(of(['led', 'timer'], '2.5')).toMatchObject({ points: '2.5', mostPoints: '2.5', score: '100.0' })
  })

  test('rows of a matrix have weights', () => {
    const doors = {
      kind: 'choices' as const,
      question: 'doors',
      weight: '1',
      points: [{ value: 'fast', points: '3' }],
      rows: [{ row: 'bay', weight: '2' }],
    }
    const of = (answer: object, unanswered: Scoring['unanswered'] = 'zero') =>
      score({ doors: answer }, { questions: [doors], unanswered }).total?.score
    expect(of({ front: 'open', bay: 'fast' })).toBe('66.7')
    expect(of({ bay: 'fast' })).toBe('66.7')
    expect(of({ bay: 'fast' }, 'exclude')).toBe('100.0')
  })

  test('a band may need scores of sections, and the next one says what is missing', () => {
    const bands = [
      { from: '0', title: en('Start') },
      { from: '50', title: en('Silver'), needs: [{ section: 'energy', from: '60' }] },
    ]
    const more = { questions: [policy, solar], bands }
    expect(score({ policy: '4', solar: false }, more).total).toMatchObject({
      score: '50.0',
      band: 0,
      nextBand: { band: 1, missing: '0.0', sections: [{ section: 'energy', from: '60', score: '0.0' }] },
    })
    expect(score({ policy: '0', solar: true }, more).total).toMatchObject({ band: 1, nextBand: null })
    expect(score({ policy: '1', solar: false }, more).total?.nextBand).toMatchObject({ missing: '37.5' })
  })

  test('without a total, sections have bands and their questions add up to them', () => {
    const result = score(
      { policy: '2', owner: '3', solar: true },
      {
        questions: [policy, owner, solar],
        hasTotal: false,
        bands: [
          { from: '0', title: en('Low') },
          { from: '60', title: en('High') },
        ],
      },
    )
    expect(result.total).toBeNull()
    expect(result.sections).toMatchObject([
      { score: '66.7', band: 1, contribution: null },
      { score: '100.0', band: 1 },
    ])
    expect(result.questions.map(({ contribution }) => contribution)).toEqual(['16.7', '50.0', '100.0'])
  })

  test('maturity levels have a mean', () => {
    const names = ['None', 'Started', 'Defined', 'Managed', 'Leading'].map(en)
    const result = score({ policy: '4', owner: '1' }, { questions: [policy, owner], levels: names })
    expect(result.sections).toMatchObject([{ score: '50.0', level: '2.0' }])
    expect(result.total?.level).toBe('2.0')
  })
})

describe('the check of a scoring', () => {
  const faultsOf = (more: Partial<Scoring>) =>
    checkScoring(definition, { ...NO_SCORING, ...more }).faults.map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    )

  test('names questions, choices, rows and sections that do not exist', () => {
    expect(
      faultsOf({
        questions: [
          { ...policy, question: 'gone' },
          { ...solar, points: [{ value: 'maybe', points: '1' }] },
          { ...policy, question: '__proto__' },
        ],
        sections: [{ section: 'toString', weight: '1' }],
      }),
    ).toEqual([
      "scoring.questions.0.question: Points are given for gone, which doesn't exist.",
      'scoring.questions.1.points.0.value: The question has no choice maybe.',
      "scoring.questions.2.question: Points are given for __proto__, which doesn't exist.",
      'scoring.sections.0.section: There is no section toString.',
    ])
  })

  test('refuses what can never give points, and bands out of order', () => {
    expect(
      faultsOf({
        questions: [{ ...policy, points: [{ value: '0', points: '0' }] }, { ...solar, weight: '0' }, solar],
        bands: [
          { from: '10', title: en('A') },
          { from: '10', title: {} },
          { from: '101', title: en('C'), needs: [{ section: 'gone', from: '50' }] },
        ],
      }),
    ).toEqual([
      'scoring.questions.0.points: Give points to at least one choice.',
      'scoring.questions.1.weight: The weight must be more than 0.',
      'scoring.questions.2.question: Points for solar are given twice.',
      'scoring.bands.0.from: The first band must start at 0.',
      'scoring.bands.1.from: This must be more than 10, where the band before it starts.',
      'scoring.bands.2.from: Scores end at 100.',
      'scoring.bands.2.needs.0.section: There is no section gone with points.',
      'scoring.bands.1.title.en: Enter the name of the band in the default language (en).',
    ])
  })

  test('a type that cannot get points is named', () => {
    expect(faultsOf({ questions: [{ ...policy, question: 'share' }] })).toEqual([
      "scoring.questions.0.kind: Questions of this type can't be scored this way.",
    ])
  })
})
