import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileDefinition } from '../compile.ts'
import type { Definition } from '../definition.ts'
import { scoreAnswers } from './score-answers.ts'
import type { Scoring } from './scoring.ts'

// The second implementation has no fractions: it multiplies every weight by all the others' divisors, in whole numbers.

const decimal = (max: number) =>
  fc.tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max: 99 })).map(([whole, hundredths]) => {
    return hundredths === 0 ? String(whole) : `${whole}.${String(hundredths).padStart(2, '0')}`
  })
const hundredths = (text: string): bigint => {
  const [whole = '0', rest = ''] = text.split('.')
  return BigInt(whole) * 100n + BigInt(rest.padEnd(2, '0'))
}

type Case = {
  sections: {
    weight: string
    questions: { weight: string; points: [string, string, string]; answer: number | 'none' | 'na' }[]
  }[]
  unanswered: 'zero' | 'leaveOut'
}
const anyCase: fc.Arbitrary<Case> = fc.record({
  sections: fc.array(
    fc.record({
      weight: decimal(20),
      questions: fc.array(
        fc.record({
          weight: decimal(9).map((text) => (hundredths(text) === 0n ? '0.01' : text)),
          points: fc.tuple(
            decimal(12),
            decimal(12),
            decimal(12).map((text) => (hundredths(text) === 0n ? '1' : text)),
          ),
          answer: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constantFrom('none' as const, 'na' as const)),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  unanswered: fc.constantFrom('zero' as const, 'leaveOut' as const),
})

/** The total in tenths, rounded half up; null if nothing counts. */
function expectedTotal({ sections, unanswered }: Case): bigint | null {
  const parts = sections.flatMap(({ weight, questions }) => {
    const counted = questions.filter(
      ({ answer }) => answer !== 'na' && (answer !== 'none' || unanswered === 'zero'),
    )
    if (counted.length === 0 || hundredths(weight) === 0n) return []
    const most = counted.map(({ points }) => points.map(hundredths).reduce((a, b) => (a > b ? a : b)))
    const product = most.reduce((all, one) => all * one, 1n)
    const over = counted.reduce((all, one, at) => {
      const points = typeof one.answer === 'number' ? hundredths(one.points[one.answer] ?? '0') : 0n
      return all + hundredths(one.weight) * points * (product / (most[at] ?? 1n))
    }, 0n)
    const under = product * counted.reduce((all, one) => all + hundredths(one.weight), 0n)
    return [{ weight: hundredths(weight), over, under }]
  })
  if (parts.length === 0) return null
  const product = parts.reduce((all, { under }) => all * under, 1n)
  const over = parts.reduce((all, { weight, ...one }) => all + weight * one.over * (product / one.under), 0n)
  const under = product * parts.reduce((all, { weight }) => all + weight, 0n)
  const doubled = over * 1000n * 2n + under
  return doubled / (under * 2n)
}

const tenths = (text: string | null | undefined): bigint => BigInt((text ?? '0.0').replace('.', ''))

test('scores equal those of a second implementation, and contributions add up to them', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const code = (section: number, question: number) => `q${section}_${question}`
      const definition: Definition = {
        languages: ['en'],
        sections: one.sections.map(({ questions }, at) => ({
          id: `s${at}`,
          title: { en: 'S' },
          questions: questions.map((_, number) => ({
            type: 'single',
            code: code(at, number),
            title: { en: 'Q' },
            obligation: 'ifApplicable',
            choices: ['0', '1', '2'].map((value) => ({ value, title: { en: value } })),
          })),
        })),
      }
      const scoring: Scoring = {
        questions: one.sections.flatMap(({ questions }, at) =>
          questions.map(({ weight, points }, number) => ({
            kind: 'choices',
            question: code(at, number),
            weight,
            points: points.map((each, value) => ({ value: String(value), points: each })),
          })),
        ),
        sections: one.sections.map(({ weight }, at) => ({ section: `s${at}`, weight })),
        bands: [],
        levels: [],
        unanswered: one.unanswered,
        hasTotal: true,
      }
      const all = one.sections.flatMap(({ questions }, at) =>
        questions.map(({ answer }, number) => ({ code: code(at, number), answer })),
      )
      const answers = Object.fromEntries(
        all.flatMap(({ code: name, answer }) => {
          if (answer === 'none') return []
          return [[name, answer === 'na' ? { notApplicable: true as const } : String(answer)]]
        }),
      )
      const result = scoreAnswers(
        compileDefinition(definition),
        { visible: all.map(({ code: name }) => name), answers, computed: {} },
        scoring,
      )
      const expected = expectedTotal(one)
      expect(result.total?.score ?? null).toBe(
        expected === null ? null : `${expected / 10n}.${expected % 10n}`,
      )
      const sumOf = (parts: readonly { contribution: string | null }[]) =>
        parts.reduce((total, { contribution }) => total + tenths(contribution), 0n)
      expect(sumOf(result.questions)).toBe(expected ?? 0n)
      expect(sumOf(result.sections)).toBe(expected ?? 0n)
      const explained = result.questions.map(({ reasons, contribution }) => {
        return reasons.find(({ isMet }) => isMet)?.adds ?? (contribution === null ? null : '0.0')
      })
      expect(explained).toEqual(result.questions.map(({ contribution }) => contribution))
    }),
    { numRuns: 300 },
  )
})
