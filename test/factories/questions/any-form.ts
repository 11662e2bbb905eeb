import fc from 'fast-check'
import { Definition, type Question, type QuestionType } from '#contract/questions/definition.ts'
import { insteadOfAnswer, type MeantAnswer, SAMPLES, UNANSWERABLE, VALUES } from './any-answer.ts'

/** The value of a question by its code; undefined if it is missing. */
type Look = (code: string) => unknown

/** A rule as text, and what it means without the rule language. */
export type MeantRule = Readonly<{
  text: string
  holds: (look: Look) => boolean
  names: readonly string[]
  /** Those of the names that it compares with null, so that it has a meaning without their answers. */
  nullable: readonly string[]
}>

/** What a computed question calculates, and what it means. `adds`: names of numbers; `rule`: of text, and of yes or no. */
export type MeantResult = Readonly<
  | { result: 'number'; adds: readonly string[]; factor: string; decimals: number | undefined }
  | { result: 'text' | 'boolean'; rule: MeantRule }
>

/** Shown instead of the standard message, by language. */
export type MeantMessages = Readonly<Partial<Record<'check' | 'required', Readonly<Record<string, string>>>>>

export type MeantQuestion = Readonly<{
  code: string
  kind: QuestionType
  section: string
  obligation: Question['obligation']
  isHidden: boolean
  visibleIf: MeantRule | null
  requiredIf: MeantRule | null
  /** Questions with the same name, of which one must be answered. */
  oneOf: string | null
  check: MeantRule | null
  messages: MeantMessages
  /** Null unless it is computed. */
  computes: MeantResult | null
}>

export type AnyForm = Readonly<{
  definition: Definition
  questions: readonly MeantQuestion[]
  sections: readonly Readonly<{ id: string; visibleIf: MeantRule | null }>[]
  answers: ReadonlyMap<string, MeantAnswer>
}>

/** Every type of question. */
export const KINDS: readonly QuestionType[] = [
  ...keysOf(SAMPLES),
  'note',
  'computed',
  // More often, because the others depend on them.
  'number',
  'table',
  'single',
  'computed',
]

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  const isKey = (name: string): name is Key => Object.hasOwn(record, name)
  return Object.keys(record).filter(isKey)
}

const en = (text: string) => ({ en: text })

/** Random choices, from a list that fast-check can shorten. */
class Tape {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  /** From 0 to `count` - 1; 0 at the end of the tape. */
  next(count: number): number {
    return (this.#numbers[this.#at++] ?? 0) % count
  }

  pick<T>(first: T, ...more: readonly T[]): T {
    return [first, ...more][this.next(more.length + 1)] ?? first
  }
}

/** A form with rules that depend on each other in any order, and answers of which some are wrong. */
export const anyForm: fc.Arbitrary<AnyForm> = fc
  .array(fc.nat(1_000_000), { minLength: 1, maxLength: 400, size: 'max' })
  .map((numbers) => buildForm(new Tape(numbers)))

type Plan = {
  code: string
  kind: QuestionType
  result: MeantResult['result'] | null
  rank: number
  section: number
}

function buildForm(tape: Tape): AnyForm {
  const count = 1 + tape.next(12)
  const sectionCount = 1 + tape.next(4)
  const plans = Array.from({ length: count }, (_, at): Plan => {
    const kind = tape.pick('text', ...KINDS)
    return {
      code: `q${at}`,
      kind,
      result: kind === 'computed' ? tape.pick('number', 'number', 'text', 'boolean') : null,
      // Rules only use lower ranks, whatever the order on the page.
      rank: tape.next(1000) * 20 + at,
      section: Math.floor((at * sectionCount) / count),
    }
  })
  const sections = Array.from({ length: sectionCount }, (_, at) => {
    const own = plans.filter(({ section }) => section === at)
    const least = Math.min(...own.map(({ rank }) => rank))
    return { id: `s${at}`, visibleIf: tape.next(3) === 0 ? anyRule(tape, below(plans, least)) : null }
  })
  const questions = withGroups(
    tape,
    plans.map((plan) => buildQuestion(tape, plan, plans)),
  )
  const answers = new Map(questions.map((question) => [question.code, anyAnswer(tape, question)]))
  const definition = Definition.parse({
    languages: ['en', 'es'],
    sections: sections.map(({ id, visibleIf }) => ({
      id,
      title: en(id),
      ...(visibleIf === null ? {} : { visibleIf: visibleIf.text }),
      questions: questions.filter(({ section }) => section === id).map(toQuestion),
    })),
  })
  return { definition, questions, sections, answers }
}

/** Some questions that follow each other become ones of which one must be answered. */
function withGroups(tape: Tape, questions: readonly MeantQuestion[]): MeantQuestion[] {
  const canBe = ({ kind }: MeantQuestion) => kind !== 'note' && kind !== 'computed' && kind !== 'consent'
  const grouped = [...questions]
  for (let at = 0; at < grouped.length; at += 1) {
    if (tape.next(4) !== 3) continue
    const size = tape.pick(2, 2, 3)
    const members = grouped.slice(at, at + size)
    const [first] = members
    const isWhole =
      members.length === size && members.every((one) => canBe(one) && one.section === first?.section)
    if (first === undefined || !isWhole) continue
    const own = { obligation: undefined, requiredIf: null, isHidden: false, oneOf: `one_${first.code}` }
    for (const [number, member] of members.entries()) {
      const { required: _, ...others } = member.messages
      const messages = number === 0 ? member.messages : others
      grouped[at + number] = { ...member, ...own, messages }
    }
    at += size - 1
  }
  return grouped
}

const below = (plans: readonly Plan[], rank: number) => plans.filter((plan) => plan.rank < rank)

function buildQuestion(tape: Tape, plan: Plan, plans: readonly Plan[]): MeantQuestion {
  const { code, kind, rank, section } = plan
  const former = below(plans, rank)
  const isAsked = kind !== 'note' && kind !== 'computed'
  const obligation = isAsked
    ? tape.pick(undefined, undefined, 'required', 'required', 'ifApplicable', 'mayRefuse')
    : undefined
  return {
    code,
    kind,
    section: `s${section}`,
    obligation,
    isHidden: isAsked && tape.next(8) === 0,
    visibleIf: tape.next(2) === 0 ? anyRule(tape, former) : null,
    requiredIf: isAsked && obligation === undefined && tape.next(3) === 0 ? anyRule(tape, plans) : null,
    oneOf: null,
    check: tape.next(3) === 0 ? anyRule(tape, plans) : null,
    messages: { ...anyMessages(tape, 'check'), ...anyMessages(tape, 'required') },
    computes: anyResult(tape, plan, former),
  }
}

/** An author's own text, in both languages or only in the first. */
function anyMessages(tape: Tape, name: 'check' | 'required'): MeantMessages {
  const texts = { en: `Own ${name}`, es: `Propio ${name}` }
  return tape.pick<MeantMessages>({}, {}, { [name]: texts }, { [name]: en(texts.en) })
}

const isNumber = ({ kind, result }: Pick<Plan, 'kind' | 'result'>) =>
  kind === 'number' || kind === 'table' || kind === 'rating' || result === 'number'

function anyResult(tape: Tape, { result }: Plan, former: readonly Plan[]): MeantResult | null {
  if (result === null) return null
  const rule = result === 'number' ? null : anyRule(tape, former)
  if (result !== 'number') return { result, rule: rule ?? NEVER }
  return {
    result,
    adds: former.filter((plan) => isNumber(plan) && tape.next(2) === 0).map(nameOf),
    factor: tape.pick('0.25', '0.25', '1', '-0.125', '999999999999999'),
    decimals: tape.pick(undefined, 0, 1, 2),
  }
}

/** For a question before which nothing can be used. */
const NEVER: MeantRule = { text: 'today() < date("2020-01-01")', holds: () => false, names: [], nullable: [] }

/** The name of a question in rules: that of its total, for a table. */
export const nameOf = ({ code, kind }: { code: string; kind: QuestionType }) =>
  kind === 'table' ? `${code}Total` : code

/** Types of which rules can't use the answers. */
const UNNAMED: ReadonlySet<QuestionType> = new Set([
  'note',
  'matrix',
  'file',
  'address',
  'person',
  'facility',
])

function anyRule(tape: Tape, usable: readonly Plan[]): MeantRule | null {
  const plans = usable.filter(({ kind }) => !UNNAMED.has(kind))
  const [first] = plans
  if (first === undefined) return null
  const atom = (): MeantRule => anyAtom(tape, plans[tape.next(plans.length)] ?? first)
  const [one, other] = [atom(), atom()]
  const both = { names: [...one.names, ...other.names], nullable: [...one.nullable, ...other.nullable] }
  switch (tape.next(4)) {
    case 0:
      return {
        ...both,
        text: `(${one.text}) && ${other.text}`,
        holds: (look) => one.holds(look) && other.holds(look),
      }
    case 1:
      return {
        ...both,
        text: `${one.text} || ${other.text}`,
        holds: (look) => one.holds(look) || other.holds(look),
      }
    case 2:
      return { ...one, text: `!(${one.text})`, holds: (look) => !one.holds(look) }
    default:
      return one
  }
}

function anyAtom(tape: Tape, plan: Plan): MeantRule {
  const name = nameOf(plan)
  const test = (text: string, holds: (value: unknown) => boolean): MeantRule => {
    return { text, holds: (look) => holds(look(name)), names: [name], nullable: [] }
  }
  if (tape.next(4) === 0) {
    return {
      text: `${name} == null`,
      holds: (look) => look(name) === undefined,
      names: [name],
      nullable: [name],
    }
  }
  const value = tape.pick('a', ...VALUES)
  const limit = tape.next(6)
  if (isNumber(plan))
    return test(`${name} > ${limit}`, (found) => found !== undefined && Number(found) > limit)
  if (plan.kind === 'boolean' || plan.kind === 'consent' || plan.result === 'boolean')
    return test(name, (found) => found === true)
  if (plan.kind === 'single') return test(`${name} == "${value}"`, (found) => found === value)
  if (plan.kind === 'multiple')
    return test(`"${value}" in ${name}`, (found) => Array.isArray(found) && found.includes(value))
  if (plan.kind === 'date')
    return test(`${name} < date("2026-06-01")`, (found) => typeof found === 'string' && found < '2026-06-01')
  return test(`${name}.contains("AN")`, (found) =>
    typeof found === 'string' && found.toLowerCase().includes('an'))
}

/** Texts of results: rules look for "an" in texts. */
export const RESULT_TEXTS = { true: 'land', false: 'sea' } as const

function toQuestion(question: MeantQuestion): object {
  const { code, kind, obligation, isHidden, visibleIf, requiredIf, oneOf, check, messages, computes } =
    question
  const shared = {
    type: kind,
    code,
    title: en(code),
    ...(obligation !== undefined && { obligation }),
    ...(isHidden && { isHidden }),
    ...(visibleIf !== null && { visibleIf: visibleIf.text }),
    ...(requiredIf !== null && { requiredIf: requiredIf.text }),
    ...(oneOf !== null && { oneOf }),
    ...(check !== null && { check: check.text }),
    ...(Object.keys(messages).length > 0 && { messages }),
  }
  if (kind === 'note') return { ...shared, text: en('Text') }
  if (kind === 'computed') return computes === null ? shared : { ...shared, ...calculation(computes) }
  const settings = structuredClone(SAMPLES[kind].settings)
  if (kind !== 'table' || !('columns' in settings) || !Array.isArray(settings.columns))
    return { ...shared, ...settings }
  const [first, ...more]: object[] = settings.columns
  return { ...shared, ...settings, columns: [{ ...first, total: nameOf(question) }, ...more] }
}

function calculation(computes: MeantResult): object {
  const { result } = computes
  if (computes.result === 'number') {
    const { adds, factor, decimals } = computes
    const calculate = `(${['0.5', ...adds].join(' + ')}) * ${factor}`
    return { result, calculate, ...(decimals !== undefined && { decimals }) }
  }
  const { text } = computes.rule
  const calculate = result === 'text' ? `(${text}) ? "${RESULT_TEXTS.true}" : "${RESULT_TEXTS.false}"` : text
  return { result, calculate }
}

function anyAnswer(tape: Tape, { kind, obligation }: MeantQuestion): MeantAnswer {
  const isEmpty = tape.next(4) === 0
  if (kind === 'note' || kind === 'computed')
    return isEmpty || tape.next(4) > 0 ? { given: undefined } : UNANSWERABLE[kind]
  if (isEmpty) return { given: undefined }
  return tape.next(8) === 0 ? tape.pick(...insteadOfAnswer(obligation)) : tape.pick(...SAMPLES[kind].answers)
}
