import { compileFormula, evaluateRule } from '../expressions/evaluate.ts'
import { fieldsOfTree } from '../expressions/fields-of.ts'
import type { Condition } from '../expressions/tree.ts'
import type { CompiledDefinition, CompiledQuestion, QuestionRules } from './compile.ts'
import type { Question, Section } from './definition.ts'
import { type Evaluation, ruleValue } from './evaluate.ts'
import { groupsOf } from './one-of.ts'

/**
 * What a page needs to know which questions of a section are asked while it is filled in, as JSON. The rules are parsed already,
 * so that a browser loads no parser. Questions are without their texts, and only those that matter.
 */
export type SectionRules = Readonly<{
  section: string
  languages: readonly string[]
  /** Codes of the questions that answers to this section show and hide. */
  dependent: readonly string[]
  /** Each after those that its visibility and its value depend on. */
  questions: readonly Readonly<{ question: Question; rules: QuestionRules }>[]
  /** What the rules need from other sections. */
  known: Readonly<Record<string, unknown>>
}>

type KnownResults = Pick<Evaluation, 'answers' | 'computed' | 'totals'>

/** The rules of a section as of an evaluation; null if its answers show and hide nothing in it. */
export function sectionRules(
  compiled: CompiledDefinition,
  section: string,
  found: KnownResults,
): SectionRules | null {
  const own = compiled.order.filter((one) => one.section.id === section)
  const codes = codesByName(own)
  const dependent = dependentCodes(own, codes)
  if (dependent.length === 0) return null
  const needed = new Set(dependent)
  const outside = new Set<string>()
  // A set takes in what is added to it while it is read.
  for (const code of needed) {
    const group = compiled.groups.find(({ questions }) => questions.includes(code))
    for (const other of group?.questions ?? []) needed.add(other)
    const rules = compiled.byCode.get(code)?.rules
    for (const name of rules === undefined ? [] : namesIn(rules)) {
      const used = codes.get(name)
      if (used === undefined) outside.add(name)
      else needed.add(used)
    }
  }
  return {
    section,
    languages: compiled.definition.languages,
    dependent,
    questions: own
      .filter(({ question }) => needed.has(question.code))
      .map(({ question, rules }) => ({ question: withoutTexts(question), rules })),
    known: knownValues(compiled, found, outside),
  }
}

/** The names that a section gives to rules, with the code of their question: a total has that of its table. */
function codesByName(own: readonly CompiledQuestion[]): Map<string, string> {
  return new Map(
    own.flatMap(({ question }): [string, string][] => [
      [question.code, question.code],
      ...(question.type === 'table'
        ? question.columns.flatMap((column): [string, string][] =>
            column.type === 'number' && column.total !== undefined ? [[column.total, question.code]] : [],
          )
        : []),
    ]),
  )
}

/** The questions whose visibility other answers of the same section decide, directly or not. */
function dependentCodes(own: readonly CompiledQuestion[], codes: ReadonlyMap<string, string>): string[] {
  const changing = new Set<string>()
  const dependent: string[] = []
  const changes = (rules: Partial<QuestionRules>): boolean =>
    namesIn(rules).some((name) => changing.has(codes.get(name) ?? ''))
  for (const { question, rules } of own) {
    const { code, type, isHidden } = question
    const isDependent = changes({ visible: rules.visible })
    if (isDependent && isHidden !== true) dependent.push(code)
    const isAsked = isHidden !== true && type !== 'note' && type !== 'computed'
    if (isAsked || isDependent || changes({ calculate: rules.calculate })) changing.add(code)
  }
  return dependent
}

function namesIn({ visible = null, required = null, calculate = null }: Partial<QuestionRules>): string[] {
  const calculated = calculate?.type === 'condition' ? calculate.tree : calculate?.value
  return [visible, required, calculated].flatMap((tree) =>
    tree === null || tree === undefined ? [] : [...fieldsOfTree(tree).all],
  )
}

/** What other sections say to rules. */
function knownValues(
  { questions }: CompiledDefinition,
  { answers, computed, totals }: KnownResults,
  names: ReadonlySet<string>,
): Record<string, unknown> {
  const values = [
    ...questions.flatMap(({ question }): [string, unknown][] => {
      const answer = answers[question.code]
      return answer === undefined ? [] : [[question.code, ruleValue(question, answer)]]
    }),
    ...Object.entries(computed),
    ...Object.entries(totals),
  ]
  return Object.fromEntries(values.filter(([name, value]) => names.has(name) && value !== null))
}

/** A question as it is read and evaluated, without what only people read. */
function withoutTexts(question: Question): Question {
  const { help: _help, messages: _messages, ...rest } = question
  const bare = { ...rest, title: {} }
  const untitled = <T extends object>(one: T): T => ({ ...one, title: {} })
  switch (bare.type) {
    case 'single':
    case 'multiple':
      return { ...bare, choices: bare.choices.map(untitled) }
    case 'matrix':
      return { ...bare, choices: bare.choices.map(untitled), rows: bare.rows.map(untitled) }
    case 'table':
      return { ...bare, columns: bare.columns.map(untitled) }
    case 'note':
    case 'consent':
      return { ...bare, text: {} }
    default:
      return bare
  }
}

/** The rules of a section, to be evaluated like its definition. */
export function compileSectionRules({ section: id, ...rules }: SectionRules): CompiledDefinition {
  const section: Section = { id, title: {}, questions: rules.questions.map(({ question }) => question) }
  const order = rules.questions.map((one, at): CompiledQuestion => {
    const { visible, required, calculate } = one.rules
    const calculated = calculate === null ? null : compileFormula(calculate)
    return {
      at,
      question: one.question,
      section,
      isVisible: conditionOf(visible),
      isRequired: conditionOf(required),
      check: null,
      calculate: calculated && (({ values, now, zone }) => calculated(values, { now, zone })),
      rules: one.rules,
    }
  })
  return {
    definition: { languages: [...rules.languages], sections: [section] },
    questions: order,
    byCode: new Map(order.map((one) => [one.question.code, one])),
    sectionConditions: new Map(),
    groups: groupsOf([section]),
    noValues: rules.known,
    order,
  }
}

function conditionOf(tree: Condition | null): CompiledQuestion['isVisible'] {
  if (tree === null) return null
  const rule = { text: '', tree, variables: {} }
  return ({ values, now, zone }) => evaluateRule(rule, values, { now, zone })
}
