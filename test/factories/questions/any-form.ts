import fc from 'fast-check'
import { Definition } from '#contract/questions/definition.ts'

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

/** What is sent, and what should become of it; `given: undefined` is no answer. */
export type MeantAnswer = Readonly<{ given: unknown; stored?: unknown; flaw?: string }>

export type MeantQuestion = Readonly<{
  code: string
  kind: Kind
  section: string
  isRequired: boolean
  visibleIf: MeantRule | null
  requiredIf: MeantRule | null
  check: MeantRule | null
  /** The codes whose numbers it adds up; [] unless it is computed. */
  adds: readonly string[]
}>

export type AnyForm = Readonly<{
  definition: Definition
  questions: readonly MeantQuestion[]
  sections: readonly Readonly<{ id: string; visibleIf: MeantRule | null }>[]
  answers: ReadonlyMap<string, MeantAnswer>
}>

const KINDS = [
  'text',
  'email',
  'number',
  'boolean',
  'single',
  'multiple',
  'date',
  'rating',
  'consent',
  'table',
  'computed',
  'note',
] as const
type Kind = (typeof KINDS)[number]

const VALUES = ['a', 'b', 'c']
const en = (text: string) => ({ en: text })
const choices = VALUES.map((value) => ({ value, title: en(value.toUpperCase()) }))

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

type Plan = { code: string; kind: Kind; rank: number; section: number }

function buildForm(tape: Tape): AnyForm {
  const count = 1 + tape.next(12)
  const sectionCount = 1 + tape.next(4)
  const plans = Array.from({ length: count }, (_, at): Plan => {
    return {
      code: `q${at}`,
      kind: tape.pick(...KINDS),
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
  const questions = plans.map((plan) => buildQuestion(tape, plan, plans))
  const answers = new Map(plans.map(({ code, kind }) => [code, anyAnswer(tape, kind)]))
  const definition = Definition.parse({
    languages: ['en'],
    sections: sections.map(({ id, visibleIf }) => ({
      id,
      title: en(id),
      ...(visibleIf === null ? {} : { visibleIf: visibleIf.text }),
      questions: questions.filter(({ section }) => section === id).map(toQuestion),
    })),
  })
  return { definition, questions, sections, answers }
}

const below = (plans: readonly Plan[], rank: number) => plans.filter((plan) => plan.rank < rank)

function buildQuestion(
  tape: Tape,
  { code, kind, rank, section }: Plan,
  plans: readonly Plan[],
): MeantQuestion {
  const former = below(plans, rank)
  const isAsked = kind !== 'note' && kind !== 'computed'
  const numbers = former.filter(
    (one) => one.kind === 'number' || one.kind === 'computed' || one.kind === 'table',
  )
  const isRequired = isAsked && tape.next(3) === 0
  return {
    code,
    kind,
    section: `s${section}`,
    isRequired,
    visibleIf: tape.next(2) === 0 ? anyRule(tape, former) : null,
    requiredIf: isAsked && !isRequired && tape.next(3) === 0 ? anyRule(tape, plans) : null,
    check: tape.next(3) === 0 ? anyRule(tape, plans) : null,
    adds: kind === 'computed' ? numbers.filter(() => tape.next(2) === 0).map(nameOf) : [],
  }
}

/** The name of a question in rules: that of its total, for a table. */
export const nameOf = ({ code, kind }: { code: string; kind: Kind }) =>
  kind === 'table' ? `${code}Total` : code

function anyRule(tape: Tape, usable: readonly Plan[]): MeantRule | null {
  const plans = usable.filter(({ kind }) => kind !== 'note')
  if (plans.length === 0) return null
  const atom = (): MeantRule => anyAtom(tape, plans[tape.next(plans.length)] ?? { code: '', kind: 'text' })
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

function anyAtom(tape: Tape, plan: { code: string; kind: Kind }): MeantRule {
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
  switch (plan.kind) {
    case 'boolean':
    case 'consent':
      return test(name, (found) => found === true)
    case 'single':
      return test(`${name} == "${value}"`, (found) => found === value)
    case 'multiple':
      return test(`"${value}" in ${name}`, (found) => Array.isArray(found) && found.includes(value))
    case 'text':
    case 'email':
      return test(`${name}.contains("AN")`, (found) =>
        typeof found === 'string' && found.toLowerCase().includes('an'))
    case 'date':
      return test(`${name} < date("2026-06-01")`, (found) =>
        typeof found === 'string' && found < '2026-06-01')
    default:
      return test(`${name} > ${limit}`, (found) => found !== undefined && Number(found) > limit)
  }
}

function toQuestion({ code, kind, isRequired, visibleIf, requiredIf, check, adds }: MeantQuestion): object {
  const shared = {
    type: kind,
    code,
    title: en(code),
    ...(isRequired ? { obligation: 'required' } : {}),
    ...(visibleIf === null ? {} : { visibleIf: visibleIf.text }),
    ...(requiredIf === null ? {} : { requiredIf: requiredIf.text }),
    ...(check === null ? {} : { check: check.text }),
  }
  switch (kind) {
    case 'single':
      return { ...shared, choices, allowOther: true }
    case 'multiple':
      return { ...shared, choices }
    case 'rating':
      return { ...shared, max: 5 }
    case 'consent':
      return { ...shared, text: en('Yes'), version: 2, purpose: 'inquiry', channels: ['email'] }
    case 'table':
      return {
        ...shared,
        columns: [{ type: 'number', code: 'n', title: en('n'), total: nameOf({ code, kind }) }],
      }
    case 'computed':
      return { ...shared, result: 'number', calculate: ['0.5', ...adds].join(' + ') }
    case 'note':
      return { ...shared, text: en('Text') }
    default:
      return shared
  }
}

const right = (stored: unknown, given: unknown = stored): MeantAnswer => ({ given, stored })
const wrong = (flaw: string, given: unknown): MeantAnswer => ({ given, flaw })

const ANSWERS: Record<Exclude<Kind, 'note' | 'computed'>, readonly [MeantAnswer, ...MeantAnswer[]]> = {
  text: [right('Ann'), right('Lee', ' Lee '), wrong('wrongType', 3), wrong('tooLong', 'x'.repeat(501))],
  email: [right('Jan@b.co', 'Jan@B.co'), wrong('email', 'ann@'), wrong('wrongType', ['a@b.co'])],
  number: [
    right('3'),
    right('0', '-0.0'),
    right('4.5', 4.5),
    wrong('notANumber', 'three'),
    wrong('notANumber', '1e3'),
  ],
  boolean: [right(true), right(false), wrong('wrongType', 'true')],
  single: [right('a'), right('b'), right({ other: 'x' }), wrong('notAChoice', 'z'), wrong('notAChoice', 1)],
  multiple: [
    right(['a', 'c'], ['c', 'a']),
    right(['b']),
    wrong('notAChoice', ['z']),
    wrong('wrongType', 'a'),
  ],
  date: [right('2026-02-01'), right('2026-12-01'), wrong('notADate', '2026-02-30')],
  rating: [right(5), right(1), wrong('rating', 99), wrong('wrongType', '5')],
  consent: [right({ isGiven: true, version: 2 }), wrong('consentChanged', { isGiven: true, version: 1 })],
  table: [
    right([{ n: '2' }, { n: '1.5' }], [{ n: 2 }, {}, { n: '1.50' }]),
    wrong('notANumber', [{ n: 'x' }]),
  ],
}

function anyAnswer(tape: Tape, kind: Kind): MeantAnswer {
  if (tape.next(4) === 0) return { given: undefined }
  if (kind === 'note' || kind === 'computed') {
    if (tape.next(4) > 0) return { given: undefined }
    return wrong(kind === 'note' ? 'notAnswerable' : 'computedChanged', '987')
  }
  return tape.pick(...ANSWERS[kind])
}
