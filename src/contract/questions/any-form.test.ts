import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  insteadOfAnswer,
  type MeantFlaw,
  SAMPLES,
  totalOf,
  UNANSWERABLE,
} from '#test/factories/questions/any-answer.ts'
import {
  anyForm,
  KINDS,
  nameOf,
  RESULT_TEXTS,
  type AnyForm,
  type MeantQuestion,
  type MeantResult,
  type MeantRule,
} from '#test/factories/questions/any-form.ts'
import { compareDefinitions } from './changes.ts'
import { checkDefinition } from './check-definition.ts'
import { compileDefinition, DefinitionError } from './compile.ts'
import { Definition, Question } from './definition.ts'
import { evaluateAnswers, type EvaluateOptions } from './evaluate.ts'
import { readFormEntries, writeFormEntries } from './reading/form-entries.ts'
import { problemMessage } from './problem-messages.ts'
import { ENGLISH } from './problem-texts.ts'

const SELLER = { name: 'Shop', country: 'US' } as const
const OPTIONS: EvaluateOptions = {
  language: 'en',
  now: new Date('2026-11-25T15:00:00Z'),
  zone: 'UTC',
  seller: SELLER,
}
/** Languages that visitors ask for, and the one of the form that they get. */
const LANGUAGES = { en: 'en', es: 'es', 'es-MX': 'es', fr: 'en' } as const
const anyLanguage = fc.constantFrom('en', 'es', 'es-MX', 'fr')

const sentOf = ({ answers }: AnyForm) =>
  Object.fromEntries(
    [...answers].flatMap(([code, { given }]) => (given === undefined ? [] : [[code, given]])),
  )

test('the forms have every type of question', () => {
  const types = Question.options.map(({ shape }) => shape.type.value)
  expect(new Set(KINDS)).toEqual(new Set(types))
})

/** Problems that depend on other answers; the samples of answers have all others. */
const DEPENDENT = [
  'required',
  'oneRequired',
  'consentRequired',
  'check',
  'notAsked',
  'matrixIncomplete',
  'computedTooLarge',
] as const

/** About a form, not about an answer to a question. */
const NOT_ANSWERS: ReadonlySet<string> = new Set(['unknown', 'fileFailed', 'filesMany', 'emailOrPhone'])

test('the answers have every problem that an answer to a known question can have', () => {
  const answers = [
    ...Object.values(SAMPLES).flatMap((sample) => [...sample.answers]),
    ...Object.values(UNANSWERABLE),
    ...([undefined, 'mayRefuse'] as const).flatMap((obligation) => [...insteadOfAnswer(obligation)]),
  ]
  const found = answers.flatMap(({ flaws = [] }) => flaws.map(({ code }) => code))
  const possible = Object.keys(ENGLISH).filter((code) => !NOT_ANSWERS.has(code))
  expect([...new Set([...found, ...DEPENDENT])].toSorted()).toEqual(possible.toSorted())
})

/** Decimal places that calculations are compared with. */
const PLACES = 20

/** Plain digits as a multiple of 10^-20. */
function scaled(digits: string): bigint {
  const [whole = '', places = ''] = digits.split('.')
  return BigInt(whole + places.padEnd(PLACES, '0'))
}

/** Rounded half up, away from zero, to plain digits. */
function rounded(value: bigint, decimals: number): string {
  const unit = 10n ** BigInt(PLACES - decimals)
  const size = (value < 0n ? -value : value) + unit / 2n
  const digits = String(size / unit).padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  const places = digits.slice(cut).replace(/0+$/, '')
  const text = places === '' ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${places}`
  return value < 0n && text !== '0' ? `-${text}` : text
}

/** The same verdict, worked out one question at a time, without an order, a compiler or the rule language. */
function judge({ questions, sections, answers }: AnyForm, language: 'en' | 'es') {
  const byName = new Map(questions.map((question) => [nameOf(question), question]))
  const isTrue = (rule: MeantRule | null) => rule === null || rule.holds(look)
  const isActive = ({ section, visibleIf }: MeantQuestion): boolean =>
    isTrue(sections.find(({ id }) => id === section)?.visibleIf ?? null) && isTrue(visibleIf)
  const isNotAnswered = (stored: unknown) =>
    typeof stored === 'object' && stored !== null && ('refused' in stored || 'notApplicable' in stored)

  /** 'tooLarge' for a number with too many digits. */
  function calculate(computes: MeantResult): string | boolean | null {
    if (computes.result !== 'number') {
      const holds = computes.rule.holds(look)
      return computes.result === 'text' ? RESULT_TEXTS[holds ? 'true' : 'false'] : holds
    }
    const parts = computes.adds.map(look)
    if (parts.includes(undefined)) return null
    const sum = parts.reduce<bigint>((total, part) => total + scaled(String(part)), scaled('0.5'))
    const product = (sum * scaled(computes.factor)) / 10n ** BigInt(PLACES)
    const text = rounded(product, computes.decimals ?? 10)
    return text.replace(/^-|\..*$/g, '').length > 15 ? 'tooLarge' : text
  }

  function look(name: string): unknown {
    const question = byName.get(name)
    if (question === undefined || !isActive(question)) return undefined
    if (question.computes !== null) {
      const value = calculate(question.computes)
      return value === 'tooLarge' ? undefined : (value ?? undefined)
    }
    const stored = answers.get(question.code)?.stored
    if (stored === undefined || isNotAnswered(stored)) return undefined
    if (question.kind === 'table') return totalOf(stored) ?? undefined
    if (question.kind === 'consent') return isGiven(stored)
    return question.kind === 'single' && typeof stored === 'object' ? 'other' : stored
  }

  const isAsked = ({ kind, isHidden }: MeantQuestion) => kind !== 'note' && kind !== 'computed' && !isHidden
  const groupOf = ({ section, oneOf }: MeantQuestion) =>
    questions.filter(
      (one) => oneOf !== null && one.oneOf === oneOf && one.section === section && isActive(one),
    )
  const isNeeded = (question: MeantQuestion) =>
    question.obligation !== undefined ||
    (question.requiredIf !== null && question.requiredIf.holds(look)) ||
    groupOf(question).length === 1
  /** Whether it is the first of several that nothing was sent for although one of them must be answered. */
  const isOpenGroup = (question: MeantQuestion) => {
    const group = groupOf(question)
    return (
      group.length > 1 &&
      group[0] === question &&
      group.every(({ code }) => answers.get(code)?.given === undefined)
    )
  }

  function flawsOf(question: MeantQuestion): readonly MeantFlaw[] {
    const { code, kind, check, isHidden, computes } = question
    const answer = answers.get(code)
    const isSent = answer?.given !== undefined
    if (!isActive(question)) return isSent ? [{ code: 'notAsked' }] : []
    const flaws: MeantFlaw[] =
      computes !== null && calculate(computes) === 'tooLarge' ? [{ code: 'computedTooLarge' }] : []
    if (!isHidden) flaws.push(...(answer?.flaws ?? []))
    if (isAsked(question) && isNeeded(question)) {
      for (const column of answer?.missing ?? []) flaws.push({ code: 'matrixIncomplete', column })
      const isRefused = kind === 'consent' && isSent && isGiven(answer.stored) === false
      if (!isSent || isRefused) flaws.push({ code: kind === 'consent' ? 'consentRequired' : 'required' })
    }
    if (isActive(question) && isOpenGroup(question)) return [{ code: 'oneRequired' }]
    if (flaws.length > 0 || check === null || isHidden || isNotAnswered(answer?.stored)) return flaws
    const missing = check.names.filter((name) => look(name) === undefined)
    const canCheck = missing.every((name) => check.nullable.includes(name))
    return canCheck && !check.holds(look) ? [{ code: 'check' }] : []
  }

  const problemOf = (question: MeantQuestion, { fill, ...flaw }: MeantFlaw) => {
    const { check, required } = question.messages
    const isRequired = flaw.code === 'required' || flaw.code === 'consentRequired'
    const ofCheck = flaw.code === 'check' ? check : undefined
    const group = flaw.code === 'oneRequired' ? groupOf(question) : []
    const [first] = questions.filter(({ oneOf }) => oneOf !== null && oneOf === question.oneOf)
    const ofGroup = group.length > 0 ? first?.messages.required : ofCheck
    const own = isRequired && question.oneOf === null ? required : ofGroup
    const isContact =
      group
        .map(({ kind }) => kind)
        .toSorted()
        .join(' ') === 'email phone'
    const codes = group.map(({ code }) => code)
    const standard = isContact
      ? problemMessage('emailOrPhone', language)
      : problemMessage(flaw.code, language, group.length > 0 ? codes.join(', ') : fill)
    const message = own?.[language] ?? own?.['en'] ?? standard
    const oneOf = group.length > 0 && { oneOf: codes }
    return { question: question.code, section: question.section, ...flaw, message, ...oneOf }
  }
  const stored = (isKept: (question: MeantQuestion) => boolean) =>
    Object.fromEntries(
      questions.flatMap((question) => {
        const answer = answers.get(question.code)
        return answer?.stored !== undefined && isKept(question) ? [[question.code, answer.stored]] : []
      }),
    )
  const active = questions.filter(isActive)
  return {
    visible: active.filter(({ isHidden }) => !isHidden).map(({ code }) => code),
    required: active.filter((question) => isAsked(question) && isNeeded(question)).map(({ code }) => code),
    oneOf: active.flatMap((question) => {
      const group = groupOf(question)
      if (group.length < 2 || group[0] !== question) return []
      const codes = group.map(({ code }) => code)
      const isAnswered = codes.some((code) => answers.get(code)?.stored !== undefined)
      return [{ name: question.oneOf, section: question.section, questions: codes, isAnswered }]
    }),
    problems: questions.flatMap((question) => flawsOf(question).map((flaw) => problemOf(question, flaw))),
    ignored: active
      .filter(({ code, isHidden }) => isHidden && answers.get(code)?.flaws !== undefined)
      .map(({ code }) => code),
    answers: stored(isActive),
    setAside: stored((question) => !isActive(question)),
    computed: Object.fromEntries(
      active.flatMap((question) =>
        question.computes === null ? [] : [[question.code, look(question.code) ?? null]],
      ),
    ),
    totals: Object.fromEntries(
      active.flatMap((question) =>
        question.kind === 'table' ? [[nameOf(question), look(nameOf(question)) ?? null]] : [],
      ),
    ),
    consents: active.flatMap(({ code, kind }) => {
      const given = answers.get(code)?.stored
      return kind === 'consent' && isGiven(given) !== undefined
        ? [{ question: code, isGiven: isGiven(given), text: 'Shop may write.', language: 'en' }]
        : []
    }),
  }
}

/** Whether a stored consent was given; undefined if there is none. */
function isGiven(stored: unknown): boolean | undefined {
  return typeof stored === 'object' && stored !== null && 'isGiven' in stored
    ? stored.isGiven === true
    : undefined
}

test('the visible questions, the verdict and the stored answers equal those of a simple second implementation', () => {
  const found = new Set<string>()
  let hidden = 0
  fc.assert(
    fc.property(anyForm, anyLanguage, (form, language) => {
      const result = evaluateAnswers(compileDefinition(form.definition), sentOf(form), {
        ...OPTIONS,
        language,
      })
      const expected = judge(form, LANGUAGES[language])
      for (const { code } of expected.problems) found.add(code)
      hidden += form.questions.length - expected.visible.length
      const { visible, required, oneOf, problems, ignored, answers, setAside, computed, totals } = result
      expect({
        visible,
        required,
        oneOf,
        problems,
        ignored,
        answers,
        setAside,
        computed,
        totals,
        consents: result.consents.map(({ question, isGiven: given, text, language: shown }) => {
          return { question, isGiven: given, text, language: shown }
        }),
      }).toEqual(expected)
      expect(result.isValid).toBe(expected.problems.length === 0)
    }),
    { numRuns: 400 },
  )
  // The forms are not trivial.
  expect(found.size).toBeGreaterThan(20)
  expect(found).toContain('oneRequired')
  expect(hidden).toBeGreaterThan(200)
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
      const refused = form.questions.filter(({ code }) => form.answers.get(code)?.flaws !== undefined)
      for (const { code } of refused) {
        expect(first.answers).not.toHaveProperty(code)
        expect(first.setAside).not.toHaveProperty(code)
      }
    }),
    { numRuns: 120 },
  )
})

test('an HTML form that is filled in with stored answers sends the same answers', () => {
  fc.assert(
    fc.property(anyForm, fc.constantFrom('en', 'de'), ({ definition, answers }, language) => {
      const compiled = compileDefinition({ ...definition, languages: [language] })
      const options = { ...OPTIONS, language, setAside: true }
      // An empty box sends nothing.
      const sent = [...answers].filter(([, { stored }]) => isGiven(stored) !== false)
      const first = evaluateAnswers(
        compiled,
        Object.fromEntries(sent.map(([code, { given }]) => [code, given])),
        options,
      )
      const stored = { ...first.setAside, ...first.answers }
      const entries = writeFormEntries(compiled, stored, language)
      const read = readFormEntries(compiled, entries, language)
      // A form sends the IDs of files; the server knows the rest.
      const filesOf = (code: string, value: unknown): unknown =>
        compiled.byCode.get(code)?.question.type === 'file' && Array.isArray(value) ? stored[code] : value
      const complete = Object.fromEntries(
        Object.entries(read).map(([code, value]) => [code, filesOf(code, value)]),
      )
      const again = evaluateAnswers(compiled, complete, options)
      expect({ ...again.setAside, ...again.answers }).toEqual(stored)
      expect(again.visible).toEqual(first.visible)
    }),
    { numRuns: 150 },
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
    { numRuns: 150 },
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
    { numRuns: 150 },
  )
  expect(compiled).toBeGreaterThan(10)
  expect(faulty).toBeGreaterThan(10)
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
    { numRuns: 120 },
  )
})
