import { Exact } from '../expressions/exact.ts'
import type { Answer, Answers, ConsentAnswer } from './answers.ts'
import type { CompiledDefinition, CompiledQuestion, RuleInput } from './compile.ts'
import type { Country, Question, QuestionOf } from './definition.ts'
import { MAX_CODE, MAX_DECIMALS, MAX_UNKNOWN, MAX_WHOLE_DIGITS } from './limits.ts'
import { problemMessage, type ProblemCode } from './problem-messages.ts'
import { groupNameOf, isEmailOrPhone } from './one-of.ts'
import { isNotAnswered, readAnswer } from './reading/read-answer.ts'
import { missingRows, tableTotals } from './reading/read-rows.ts'
import type { Flaw, Reading } from './reading/reading.ts'
import { OTHER } from './rule-names.ts'
import { pickLanguage, textIn } from './texts.ts'

/** Who receives the answers. `country`: of phone numbers and postal codes without one. */
export type Seller = Readonly<{ name: string; country?: Country | undefined }>

export type EvaluateOptions = Readonly<{
  /** Of messages and consent texts; `pickLanguage` finds the closest one of the definition. */
  language: string
  now: Date
  /** The IANA time zone in which `today()` is taken. */
  zone: string
  seller?: Seller
  /**
   * Answers to questions that aren't asked are set aside. Without this they are also refused, which is right when
   * the sender knew the visible questions.
   */
  setAside?: boolean
}>

/** Why an answer is refused. `message` is in the language of the options. */
export type AnswerProblem = Readonly<{
  question: string
  /** Null for an unknown question. */
  section: string | null
  code: ProblemCode
  message: string
  /** From 0, in a table. */
  row?: number
  /** The column of a table, the row of a matrix, or the part of an address or person. */
  column?: string
  /** The questions of which one must be answered; `question` is the first of them. */
  oneOf?: readonly string[]
}>

/** Two or more questions that are asked and of which at least one must be answered. */
export type AskedGroup = Readonly<{
  name: string
  section: string
  /** Their codes, in order. */
  questions: readonly string[]
  isAnswered: boolean
}>

/** A consent with the exact text that was shown. */
export type GivenConsent = Readonly<{
  question: string
  isGiven: boolean
  version: number
  language: string
  text: string
  seller: string | null
  purpose: QuestionOf<'consent'>['purpose']
  channels: QuestionOf<'consent'>['channels']
}>

/**
 * Questions that expect an answer: visible ones except notes and computed values. Those of which one must be answered count
 * as one required question.
 */
export type Progress = Readonly<{
  questions: number
  answered: number
  required: number
  requiredAnswered: number
}>

export type Evaluation = Readonly<{
  /** Codes of the questions to show, in order. Hidden fields aren't among them. */
  visible: readonly string[]
  /** The sections with at least one visible question. */
  sections: readonly Readonly<{ id: string; questions: readonly string[] }>[]
  /** The valid answers in their stored form, with those of hidden fields, without those set aside. */
  answers: Answers
  /** Valid answers to questions that aren't asked. */
  setAside: Answers
  /** By code. Numbers in plain digits; null if a value they need is missing. */
  computed: Readonly<Record<string, string | boolean | null>>
  /** Sums of table columns by name, in plain digits; null without a number in the column. */
  totals: Readonly<Record<string, string | null>>
  /** Codes of the visible questions that must be answered. */
  required: readonly string[]
  /** Where at least one of several must be. One that is asked alone is among `required`. */
  oneOf: readonly AskedGroup[]
  /** Unknown questions first, then in the order of the questions. */
  problems: readonly AnswerProblem[]
  /** Hidden fields whose value was invalid and left out: the visitor couldn't correct it. */
  ignored: readonly string[]
  consents: readonly GivenConsent[]
  progress: Progress
  /** Whether there are no problems. */
  isValid: boolean
}>

/** What is known about a question while the others are evaluated. */
type State = {
  isActive: boolean
  reading: Reading
  computed: string | boolean | null
  totals: [string, string | null][]
  flaws: Flaw[]
}

/**
 * Evaluates answers: which questions are asked, what they contain in stored form, and what is wrong with them.
 * Browser and server get the same result for the same options. Never throws for any JSON.
 */
export function evaluateAnswers(
  compiled: CompiledDefinition,
  answers: Readonly<Record<string, unknown>>,
  { language, ...more }: EvaluateOptions,
): Evaluation {
  const options = { ...more, language: pickLanguage(compiled.definition.languages, language) }
  const values: Record<string, unknown> = { ...compiled.noValues }
  const input: RuleInput = { values, now: options.now, zone: options.zone }
  const states: State[] = []
  const sections = new Map<string, boolean>()
  for (const one of compiled.order) {
    const { id } = one.section
    let isVisible = sections.get(id)
    if (isVisible === undefined) {
      // All that a section's rule needs comes before its first question.
      isVisible = compiled.sectionConditions.get(id)?.(input) ?? true
      sections.set(id, isVisible)
    }
    states[one.at] = evaluateQuestion(one, isVisible, answers, input, options)
  }
  return summarize({ compiled, states, input, options, answers, ...askedGroups(compiled, states) })
}

/** What is asked of each group. */
function askedGroups(
  { groups, byCode }: CompiledDefinition,
  states: readonly State[],
): Pick<Whole, 'groups' | 'alone'> {
  const asked = new Map<string, AskedGroup>()
  const alone = new Set<string>()
  const stateOf = (code: string) => states[byCode.get(code)?.at ?? -1]
  for (const { name, section, questions: all } of groups) {
    const questions = all.filter((code) => stateOf(code)?.isActive)
    const [first] = questions
    if (first === undefined) continue
    const isAnswered = questions.some((code) => {
      const reading = stateOf(code)?.reading ?? null
      return reading !== null && 'value' in reading
    })
    if (questions.length > 1) asked.set(first, { name, section, questions, isAnswered })
    else alone.add(first)
  }
  return { groups: asked, alone }
}

function evaluateQuestion(
  one: CompiledQuestion,
  isSectionVisible: boolean,
  answers: Readonly<Record<string, unknown>>,
  input: RuleInput & { values: Record<string, unknown> },
  { seller }: EvaluateOptions,
): State {
  const { question } = one
  const { code } = question
  const isActive = isSectionVisible && (one.isVisible === null || one.isVisible(input))
  const given = Object.hasOwn(answers, code) ? answers[code] : undefined
  if (question.type === 'computed') {
    const { value, flaws } = isActive ? computeValue(one, question, input) : { value: null, flaws: [] }
    if (value !== null) input.values[code] = value
    const isTampered = given !== undefined && given !== null && given !== value
    return {
      isActive,
      reading: null,
      computed: value,
      totals: [],
      flaws: isTampered ? [...flaws, { code: 'computedChanged' }] : flaws,
    }
  }
  const reading = readAnswer(question, given, seller?.country)
  if (isActive && reading !== null && 'value' in reading) {
    const value = ruleValue(question, reading.value)
    if (value !== undefined) input.values[code] = value
  }
  const answer = isActive && reading !== null && 'value' in reading ? reading.value : null
  const totals = isActive && question.type === 'table' ? tableTotals(answer, question) : []
  for (const [name, total] of totals) if (total !== null) input.values[name] = total
  return { isActive, reading, computed: null, totals, flaws: [] }
}

function computeValue(
  { calculate }: CompiledQuestion,
  question: QuestionOf<'computed'>,
  input: RuleInput,
): { value: string | boolean | null; flaws: Flaw[] } {
  const result = calculate?.(input) ?? null
  if (result === null) return { value: null, flaws: [] }
  if (question.result === 'boolean') return { value: result === 'true', flaws: [] }
  if (question.result === 'text') return { value: result, flaws: [] }
  const number = new Exact(result).toDecimalPlaces(question.decimals ?? MAX_DECIMALS, Exact.ROUND_HALF_UP)
  // Other calculations may use this one, so its digits are limited like those of an answer.
  if (!number.isZero() && number.e >= MAX_WHOLE_DIGITS)
    return { value: null, flaws: [{ code: 'computedTooLarge' }] }
  return { value: number.isZero() ? '0' : number.toFixed(), flaws: [] }
}

/** An answer as rules see it; undefined if it is missing to them. */
export function ruleValue(question: Question, answer: Answer): unknown {
  if (isNotAnswered(answer)) return undefined
  if (question.type === 'consent')
    return typeof answer === 'object' && 'isGiven' in answer && answer.isGiven === true
  if (question.type === 'single') return typeof answer === 'string' ? answer : OTHER
  if (question.type !== 'multiple') return answer
  return Array.isArray(answer)
    ? answer.map((one: unknown) => (typeof one === 'string' ? one : OTHER))
    : undefined
}

type Whole = Readonly<{
  compiled: CompiledDefinition
  states: readonly State[]
  input: RuleInput
  options: EvaluateOptions
  answers: Readonly<Record<string, unknown>>
  /** By the code of their first question. */
  groups: ReadonlyMap<string, AskedGroup>
  /** Questions that are asked without the others of their group. */
  alone: ReadonlySet<string>
}>

/** The result under construction. */
type Result = {
  visible: string[]
  sections: Map<string, string[]>
  answers: [string, Answer][]
  setAside: [string, Answer][]
  computed: [string, string | boolean | null][]
  totals: [string, string | null][]
  required: string[]
  problems: AnswerProblem[]
  ignored: string[]
  consents: GivenConsent[]
  progress: { questions: number; answered: number; required: number; requiredAnswered: number }
}

function summarize(whole: Whole): Evaluation {
  const result: Result = {
    visible: [],
    sections: new Map(),
    answers: [],
    setAside: [],
    computed: [],
    totals: [],
    required: [],
    problems: unknownQuestions(whole),
    ignored: [],
    consents: [],
    progress: { questions: 0, answered: 0, required: 0, requiredAnswered: 0 },
  }
  for (const one of whole.compiled.questions) {
    const state = whole.states[one.at]
    if (state === undefined) continue
    if (state.isActive) addActive(one, state, result, whole)
    else addInactive(one, state, result, whole)
  }
  return {
    visible: result.visible,
    sections: [...result.sections].map(([id, questions]) => ({ id, questions })),
    answers: Object.fromEntries(result.answers),
    setAside: Object.fromEntries(result.setAside),
    computed: Object.fromEntries(result.computed),
    totals: Object.fromEntries(result.totals),
    required: result.required,
    oneOf: [...whole.groups.values()],
    problems: result.problems,
    ignored: result.ignored,
    consents: result.consents,
    progress: result.progress,
    isValid: result.problems.length === 0,
  }
}

function unknownQuestions({ compiled, answers, options }: Whole): AnswerProblem[] {
  const unknown: string[] = []
  for (const code of Object.keys(answers)) {
    if (compiled.byCode.has(code)) continue
    unknown.push(code.slice(0, MAX_CODE))
    if (unknown.length === MAX_UNKNOWN) break
  }
  return unknown.map((question) => ({
    question,
    section: null,
    code: 'unknown',
    message: problemMessage('unknown', options.language, question),
  }))
}

function addInactive(
  { question, section }: CompiledQuestion,
  state: State,
  result: Result,
  whole: Whole,
): void {
  const { reading, flaws } = state
  if (reading !== null && 'value' in reading) result.setAside.push([question.code, reading.value])
  const isGiven = reading !== null || flaws.length > 0
  if (isGiven && whole.options.setAside !== true) {
    result.problems.push(toProblem({ code: 'notAsked' }, question, section.id, whole))
  }
}

function addActive(one: CompiledQuestion, state: State, result: Result, whole: Whole): void {
  const { question, section } = one
  const { code } = question
  const isHidden = question.isHidden === true
  const flaws = [...state.flaws]
  if (!isHidden) {
    result.visible.push(code)
    const questions = result.sections.get(section.id)
    if (questions === undefined) result.sections.set(section.id, [code])
    else questions.push(code)
  }
  if (question.type === 'computed') result.computed.push([code, state.computed])
  const answer = state.reading !== null && 'value' in state.reading ? state.reading.value : null
  if (state.reading !== null && 'flaws' in state.reading) {
    if (isHidden) result.ignored.push(code)
    else flaws.push(...state.reading.flaws)
  }
  if (answer !== null) result.answers.push([code, answer])
  result.totals.push(...state.totals)
  if (question.type === 'consent') addConsent(question, answer, result, whole)
  const isAsked = !isHidden && question.type !== 'note' && question.type !== 'computed'
  if (isAsked) countAnswer(one, state, answer, flaws, result, whole)
  const missing = missingGroup(code, result, whole)
  if (missing !== null) result.problems.push(missing)
  if (
    missing === null &&
    flaws.length === 0 &&
    one.check !== null &&
    !isHidden &&
    !holdsCheck(one.check, answer, whole)
  ) {
    flaws.push({ code: 'check' })
  }
  result.problems.push(...flaws.map((flaw) => toProblem(flaw, question, section.id, whole)))
}

/** The one problem of a group without any answer, at its first question. A wrong answer has a problem of its own. */
function missingGroup(code: string, { progress }: Result, whole: Whole): AnswerProblem | null {
  const group = whole.groups.get(code)
  if (group === undefined) return null
  progress.required += 1
  if (group.isAnswered) {
    progress.requiredAnswered += 1
    return null
  }
  const { compiled, states, options } = whole
  const members = group.questions.flatMap((one) => compiled.byCode.get(one) ?? [])
  if (members.some(({ at }) => states[at]?.reading !== null)) return null
  return {
    question: code,
    section: group.section,
    code: 'oneRequired',
    message: groupMessage(
      members.map(({ question }) => question),
      group,
      options.language,
      compiled,
    ),
    oneOf: group.questions,
  }
}

function groupMessage(
  asked: readonly Question[],
  { name, section: id }: AskedGroup,
  language: string,
  { definition: { languages, sections } }: CompiledDefinition,
): string {
  const all = sections.find((section) => section.id === id)?.questions ?? []
  const own = all.find((one) => groupNameOf(one) === name && one.messages?.required !== undefined)
  const written = textIn(own?.messages?.required, language, languages)
  if (written !== '') return written
  if (isEmailOrPhone(asked)) return problemMessage('emailOrPhone', language)
  const titles = asked.map(({ title, code }) => textIn(title, language, languages) || code)
  return problemMessage('oneRequired', language, titles.join(', '))
}

function holdsCheck(
  check: NonNullable<CompiledQuestion['check']>,
  answer: Answer | null,
  { input }: Whole,
): boolean {
  if (answer !== null && isNotAnswered(answer)) return true
  const isReady = check.needs.every((name) => {
    const value = input.values[name]
    return value !== undefined && (!Array.isArray(value) || value.length > 0)
  })
  return !isReady || check.holds(input)
}

function countAnswer(
  one: CompiledQuestion,
  { reading }: State,
  answer: Answer | null,
  flaws: Flaw[],
  result: Result,
  { input, alone }: Whole,
): void {
  const { question } = one
  const isObliged = question.obligation !== undefined && question.obligation !== 'voluntary'
  const isRequired = isObliged || alone.has(question.code) || one.isRequired?.(input) === true
  const isRefusedConsent = isRequired && isConsent(answer) && !answer.isGiven
  const isAnswered = answer !== null && !isRefusedConsent
  result.progress.questions += 1
  if (isAnswered) result.progress.answered += 1
  if (!isRequired) return
  result.required.push(question.code)
  result.progress.required += 1
  if (isAnswered && question.type === 'matrix' && !isNotAnswered(answer)) {
    flaws.push(...missingRows(answer, question).map((column): Flaw => ({ code: 'matrixIncomplete', column })))
  }
  if (isAnswered && flaws.length === 0) result.progress.requiredAnswered += 1
  else if (reading === null || isRefusedConsent) {
    flaws.push({ code: question.type === 'consent' ? 'consentRequired' : 'required' })
  }
}

function addConsent(
  question: QuestionOf<'consent'>,
  answer: Answer | null,
  result: Result,
  whole: Whole,
): void {
  if (!isConsent(answer)) return
  const { language, text } = consentText(question, whole.compiled.definition.languages, whole.options)
  result.consents.push({
    question: question.code,
    isGiven: answer.isGiven,
    version: question.version,
    language,
    text,
    seller: whole.options.seller?.name ?? null,
    purpose: question.purpose,
    channels: question.channels,
  })
}

function isConsent(answer: Answer | null): answer is ConsentAnswer {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'isGiven' in answer &&
    typeof answer.isGiven === 'boolean'
  )
}

/** The text of a consent as it is shown, and the language it is in. */
export function consentText(
  question: QuestionOf<'consent'>,
  languages: readonly string[],
  { language, seller }: Pick<EvaluateOptions, 'language' | 'seller'>,
): { language: string; text: string } {
  const shown = [language, ...languages].find((tag) => textIn(question.text, tag, []) !== '') ?? language
  const text = textIn(question.text, shown, [])
  return { language: shown, text: text.replaceAll('{seller}', () => seller?.name ?? '') }
}

function toProblem(
  flaw: Flaw,
  question: Question,
  section: string,
  { compiled, options }: Whole,
): AnswerProblem {
  const { code, fill, row, column } = flaw
  const isRequired = code === 'required' || code === 'consentRequired'
  // The message of a question in a group is the group's, which is about the others too.
  const ofQuestion = groupNameOf(question) === null ? question.messages?.required : undefined
  const own = isRequired ? ofQuestion : question.messages?.check
  const written =
    isRequired || code === 'check' ? textIn(own, options.language, compiled.definition.languages) : ''
  return {
    question: question.code,
    section,
    code,
    message: written === '' ? problemMessage(code, options.language, fill) : written,
    ...(row === undefined ? {} : { row }),
    ...(column === undefined ? {} : { column }),
  }
}
