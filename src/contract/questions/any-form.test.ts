import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  anyForm,
  nameOf,
  type AnyForm,
  type MeantQuestion,
  type MeantRule,
} from '#test/factories/questions/any-form.ts'
import { compareDefinitions } from './changes.ts'
import { checkDefinition } from './check-definition.ts'
import { compileDefinition, DefinitionError } from './compile.ts'
import { Definition } from './definition.ts'
import { evaluateAnswers, type EvaluateOptions } from './evaluate.ts'
import { readFormEntries, writeFormEntries } from './form-entries.ts'

const OPTIONS: EvaluateOptions = { language: 'en', now: new Date('2026-11-25T15:00:00Z'), zone: 'UTC' }

const sentOf = ({ answers }: AnyForm) =>
  Object.fromEntries(
    [...answers].flatMap(([code, { given }]) => (given === undefined ? [] : [[code, given]])),
  )

/** The same verdict, worked out one question at a time, without an order, a compiler or the rule language. */
function judge({ questions, sections, answers }: AnyForm) {
  const byName = new Map(questions.map((question) => [nameOf(question), question]))
  const isTrue = (rule: MeantRule | null) => rule === null || rule.holds(look)
  const isVisible = ({ section, visibleIf }: MeantQuestion): boolean =>
    isTrue(sections.find(({ id }) => id === section)?.visibleIf ?? null) && isTrue(visibleIf)

  function look(name: string): unknown {
    const question = byName.get(name)
    if (question === undefined || !isVisible(question)) return undefined
    if (question.kind === 'computed') {
      const parts = question.adds.map(look)
      return parts.includes(undefined)
        ? undefined
        : parts.reduce<number>((sum, part) => sum + Number(part), 0.5)
    }
    const stored = answers.get(question.code)?.stored
    if (question.kind === 'table') return stored === undefined ? undefined : 3.5
    if (question.kind === 'consent') return stored === undefined ? undefined : true
    return question.kind === 'single' && typeof stored === 'object' ? 'other' : stored
  }

  const problems = questions.flatMap((question): string[] => {
    const { code, kind, isRequired, requiredIf, check } = question
    const answer = answers.get(code)
    const isSent = answer?.given !== undefined
    if (!isVisible(question)) return isSent ? [`${code} notAsked`] : []
    if (answer?.flaw !== undefined) return [`${code} ${answer.flaw}`]
    const isNeeded = isRequired || (requiredIf !== null && requiredIf.holds(look))
    if (isNeeded && !isSent) return [`${code} ${kind === 'consent' ? 'consentRequired' : 'required'}`]
    const missing = (check?.names ?? []).filter((name) => look(name) === undefined)
    const canCheck = check !== null && missing.every((name) => check.nullable.includes(name))
    return canCheck && !check.holds(look) ? [`${code} check`] : []
  })
  const stored = (isKept: (question: MeantQuestion) => boolean) =>
    Object.fromEntries(
      questions.flatMap((question) => {
        const answer = answers.get(question.code)
        return answer?.stored !== undefined && isKept(question) ? [[question.code, answer.stored]] : []
      }),
    )
  const computed = questions.filter((question) => question.kind === 'computed' && isVisible(question))
  return {
    visible: questions.filter(isVisible).map(({ code }) => code),
    problems,
    answers: stored(isVisible),
    setAside: stored((question) => !isVisible(question)),
    computed: Object.fromEntries(computed.map(({ code }) => [code, look(code) ?? null])),
  }
}

test('the visible questions, the verdict and the stored answers equal those of a simple second implementation', () => {
  let problems = 0
  let hidden = 0
  fc.assert(
    fc.property(anyForm, (form) => {
      const result = evaluateAnswers(compileDefinition(form.definition), sentOf(form), OPTIONS)
      const expected = judge(form)
      problems += expected.problems.length
      hidden += form.questions.length - expected.visible.length
      expect({
        visible: result.visible,
        problems: result.problems.map(({ question, code }) => `${question} ${code}`),
        answers: result.answers,
        setAside: result.setAside,
        computed: Object.fromEntries(
          Object.entries(result.computed).map(([code, value]) => [
            code,
            value === null ? null : Number(value),
          ]),
        ),
      }).toEqual(expected)
      expect(result.isValid).toBe(expected.problems.length === 0)
    }),
    { numRuns: 2_000 },
  )
  // The forms are not trivial.
  expect(problems).toBeGreaterThan(1_000)
  expect(hidden).toBeGreaterThan(1_000)
})

test('what was stored is stored again unchanged, and nothing refused is stored', () => {
  fc.assert(
    fc.property(anyForm, (form) => {
      const compiled = compileDefinition(form.definition)
      const first = evaluateAnswers(compiled, sentOf(form), { ...OPTIONS, setAside: true })
      const again = evaluateAnswers(
        compiled,
        { ...first.setAside, ...first.answers },
        { ...OPTIONS, setAside: true },
      )
      expect(again.visible).toEqual(first.visible)
      expect(again.answers).toEqual(first.answers)
      expect(again.setAside).toEqual(first.setAside)
      expect(again.computed).toEqual(first.computed)
      const refused = form.questions.filter(({ code }) => form.answers.get(code)?.flaw !== undefined)
      for (const { code } of refused) {
        expect(first.answers).not.toHaveProperty(code)
        expect(first.setAside).not.toHaveProperty(code)
      }
    }),
    { numRuns: 300 },
  )
})

test('an HTML form that is filled in with stored answers sends the same answers', () => {
  fc.assert(
    fc.property(anyForm, fc.constantFrom('en', 'de'), ({ definition, answers }, language) => {
      const compiled = compileDefinition({ ...definition, languages: [language] })
      const options = { ...OPTIONS, language, setAside: true }
      const sent = Object.fromEntries([...answers].map(([code, { given }]) => [code, given]))
      const first = evaluateAnswers(compiled, sent, options)
      const entries = writeFormEntries(compiled, { ...first.setAside, ...first.answers }, language)
      const again = evaluateAnswers(compiled, readFormEntries(compiled, entries, language), options)
      expect({ ...again.setAside, ...again.answers }).toEqual({ ...first.setAside, ...first.answers })
      expect(again.visible).toEqual(first.visible)
    }),
    { numRuns: 500 },
  )
})

test('any JSON is evaluated without an error, and unknown questions are refused by name', () => {
  const anyJson = fc.dictionary(
    fc.oneof(fc.constantFrom('q0', 'q1', 'q2', 'q3', '__proto__'), fc.string()),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(anyForm, anyJson, ({ definition, questions }, sent) => {
      const { problems, answers, setAside } = evaluateAnswers(compileDefinition(definition), sent, OPTIONS)
      const codes = new Set(questions.map(({ code }) => code))
      const unknown = Object.keys(sent).filter((code) => !codes.has(code))
      const refused = problems.filter(({ code }) => code === 'unknown').map(({ question }) => question)
      expect(refused).toEqual(unknown.slice(0, 20).map((code) => code.slice(0, 60)))
      for (const code of [...Object.keys(answers), ...Object.keys(setAside)]) expect(codes).toContain(code)
    }),
    { numRuns: 500 },
  )
})

test('a definition without errors compiles, one that does not compile has an error', () => {
  const rules = [
    'q0 > 1',
    'q1 == null',
    '"a" in q2',
    'q3',
    'q0',
    '',
    'q9 == "a"',
    'q1.contains("a") && q2 < q0',
    'q0 + 1',
    '(',
    's0',
  ]
  const anyChange = fc.array(
    fc.record({
      at: fc.nat(20),
      key: fc.constantFrom('code', 'visibleIf', 'requiredIf', 'check', 'calculate'),
      value: fc.constantFrom(...rules, 'q1', 'constructor', 'in', 'a b'),
    }),
    { maxLength: 4 },
  )
  let compiled = 0
  let faulty = 0
  fc.assert(
    fc.property(anyForm, anyChange, ({ definition }, changes) => {
      const changed = structuredClone(definition)
      const questions = changed.sections.flatMap((section) => section.questions)
      for (const { at, key, value } of changes) {
        const question = questions[at % questions.length]
        const hasKey = question !== undefined && (key !== 'calculate' || question.type === 'computed')
        if (hasKey) Object.assign(question, { [key]: value })
      }
      const { faults, isPublishable } = checkDefinition(Definition.parse(changed))
      const isCompiled = compiles(changed)
      if (isCompiled) compiled += 1
      else faulty += 1
      expect(isCompiled || !isPublishable).toBe(true)
      expect(isPublishable).toBe(faults.every(({ severity }) => severity === 'warning'))
    }),
    { numRuns: 500 },
  )
  expect(compiled).toBeGreaterThan(30)
  expect(faulty).toBeGreaterThan(30)
})

function compiles(definition: Definition): boolean {
  try {
    compileDefinition(definition)
    return true
  } catch (error) {
    if (error instanceof DefinitionError) return false
    throw error
  }
}

test('two versions without a difference are the same definition', () => {
  fc.assert(
    fc.property(anyForm, anyForm, ({ definition: one }, { definition: other }) => {
      expect(compareDefinitions(one, one)).toEqual([])
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      expect(compareDefinitions(one, other).length > 0).toBe(!isSame)
    }),
    { numRuns: 300 },
  )
})
