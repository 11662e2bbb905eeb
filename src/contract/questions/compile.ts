import { compileFormula, evaluateRule } from '../expressions/evaluate.ts'
import { fieldsOfTree } from '../expressions/fields-of.ts'
import { type Formula, readFormula, readRule } from '../expressions/read.ts'
import type { Condition as RuleTree } from '../expressions/tree.ts'
import type { Variables } from '../expressions/variables.ts'
import type { Definition, Question, Section } from './definition.ts'
import { orderByNeeds } from './evaluation-order.ts'
import { groupsOf, type OneOfGroup } from './one-of.ts'
import { ruleVariables } from './rule-names.ts'

/** The values of the answers by name, and the instant and zone for `now()` and `today()`. */
export type RuleInput = Readonly<{ values: Readonly<Record<string, unknown>>; now: Date; zone: string }>
type Condition = (input: RuleInput) => boolean

export type CompiledQuestion = Readonly<{
  /** Its place among the questions, from 0. */
  at: number
  question: Question
  section: Section
  isVisible: Condition | null
  isRequired: Condition | null
  /** `needs`: the check is only made when these have an answer. */
  check: Readonly<{ holds: Condition; needs: readonly string[] }> | null
  /** The result as text; null if it is missing. */
  calculate: ((input: RuleInput) => string | null) | null
  /** What the functions above were made of, for a browser that can't read rules. */
  rules: QuestionRules
}>

/** The rules of a question as JSON. */
export type QuestionRules = Readonly<{
  visible: RuleTree | null
  required: RuleTree | null
  calculate: Formula | null
}>

/** A definition with its rules parsed, to evaluate many sets of answers. */
export type CompiledDefinition = Readonly<{
  definition: Definition
  /** In the order of the definition. */
  questions: readonly CompiledQuestion[]
  byCode: ReadonlyMap<string, CompiledQuestion>
  sectionConditions: ReadonlyMap<string, Condition>
  /** Of each, at least one question that is asked must be answered. */
  groups: readonly OneOfGroup[]
  /** Every name in rules, without a value: what an evaluation starts with. */
  noValues: Readonly<Record<string, unknown>>
  /** Each question after those that its visibility and its value depend on. */
  order: readonly CompiledQuestion[]
}>

/** A definition that can't be evaluated. `checkDefinition` explains all of its faults. */
export class DefinitionError extends Error {
  override name = 'DefinitionError'
}

/** Parses the rules of a published definition once. @throws DefinitionError if `checkDefinition` would report an error in its rules. */
export function compileDefinition(definition: Definition): CompiledDefinition {
  const variables = ruleVariables(definition)
  const sectionNeeds = new Map<Section, readonly string[]>()
  const sectionConditions = new Map<string, Condition>()
  for (const section of definition.sections) {
    const read = readCondition(section.visibleIf, variables, `Section ${section.id}`)
    sectionNeeds.set(section, read?.names ?? [])
    if (sectionConditions.has(section.id)) throw new DefinitionError(`Section ${section.id} exists twice.`)
    sectionConditions.set(section.id, read?.holds ?? (() => true))
  }
  const needs = new Map<string, readonly string[]>()
  const byCode = new Map<string, CompiledQuestion>()
  const totals = new Map<string, string>()
  for (const section of definition.sections) {
    for (const question of section.questions) {
      const { code } = question
      if (byCode.has(code) || totals.has(code)) throw new DefinitionError(`${code} exists twice.`)
      const compiled = compileQuestion(question, section, variables, byCode.size)
      byCode.set(code, compiled.question)
      needs.set(code, [...(sectionNeeds.get(section) ?? []), ...compiled.names])
      for (const name of totalsOf(question)) {
        if (byCode.has(name) || totals.has(name)) throw new DefinitionError(`${name} exists twice.`)
        totals.set(name, code)
      }
    }
  }
  const codes = new Map(
    [...needs].map(([code, names]) => [code, names.map((name) => totals.get(name) ?? name)]),
  )
  const { order, cycle } = orderByNeeds(codes)
  if (cycle !== null) throw new DefinitionError(`These questions depend on each other: ${cycle.join(', ')}.`)
  return {
    definition,
    questions: [...byCode.values()],
    byCode,
    sectionConditions,
    groups: groupsOf(definition.sections),
    noValues: Object.fromEntries(Object.keys(variables).map((name) => [name, undefined])),
    order: order.flatMap((code) => byCode.get(code) ?? []),
  }
}

/** The names of a table's totals. */
export function totalsOf(question: Question): string[] {
  if (question.type !== 'table') return []
  return question.columns.flatMap((column) =>
    column.type === 'number' && column.total !== undefined ? [column.total] : [],
  )
}

function compileQuestion(
  question: Question,
  section: Section,
  variables: Variables,
  at: number,
): { question: CompiledQuestion; names: readonly string[] } {
  const { code } = question
  const visible = readCondition(question.visibleIf, variables, `visibleIf of ${code}`)
  const required = readCondition(question.requiredIf, variables, `requiredIf of ${code}`)
  const check = readCondition(question.check, variables, `check of ${code}`)
  const calculated = question.type === 'computed' ? readCalculation(question, variables) : null
  return {
    question: {
      at,
      question,
      section,
      isVisible: visible?.holds ?? null,
      isRequired: required?.holds ?? null,
      check: check === null ? null : { holds: check.holds, needs: check.needed },
      calculate: calculated?.calculate ?? null,
      rules: {
        visible: visible?.tree ?? null,
        required: required?.tree ?? null,
        calculate: calculated?.made ?? null,
      },
    },
    names: [...(visible?.names ?? []), ...(calculated?.names ?? [])],
  }
}

function readCondition(
  text: string | undefined,
  variables: Variables,
  where: string,
): { holds: Condition; tree: RuleTree; names: readonly string[]; needed: readonly string[] } | null {
  if (text === undefined || text.trim() === '') return null
  const read = readRule(text, variables)
  if (!read.ok) throw new DefinitionError(`${where}: ${read.problem.message}`)
  const { rule } = read
  const { all, comparedWithNull } = fieldsOfTree(rule.tree)
  return {
    holds: ({ values, now, zone }) => evaluateRule(rule, values, { now, zone }),
    tree: rule.tree,
    names: [...all],
    needed: [...all].filter((name) => !comparedWithNull.has(name)),
  }
}

function readCalculation(
  question: Extract<Question, { type: 'computed' }>,
  variables: Variables,
): { calculate: (input: RuleInput) => string | null; made: Formula; names: readonly string[] } {
  const read = readFormula(question.calculate, variables)
  if (!read.ok) throw new DefinitionError(`calculate of ${question.code}: ${read.problem.message}`)
  const { made } = read
  const type = made.type === 'condition' ? 'boolean' : made.type
  if (type !== question.result)
    throw new DefinitionError(`calculate of ${question.code} isn't a ${question.result}.`)
  const result = compileFormula(made)
  return {
    calculate: ({ values, now, zone }) => result(values, { now, zone }),
    made,
    names: [...fieldsOfTree(made.type === 'condition' ? made.tree : made.value).all],
  }
}
