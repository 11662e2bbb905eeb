import { parse } from '../expressions/parse.ts'
import { fieldsOfTree } from '../expressions/fields-of.ts'
import { readFormula, readRule, type Problem } from '../expressions/read.ts'
import { RuleError } from '../expressions/rule-error.ts'
import { tokensOf } from '../expressions/tokens.ts'
import type { Variables } from '../expressions/variables.ts'
import { totalsOf } from './compile.ts'
import type { Definition, Question, QuestionType } from './definition.ts'
import type { Faults, Path } from './definition-fault.ts'
import { orderByNeeds } from './evaluation-order.ts'
import { MAX_RULE_FAULTS } from './limits.ts'
import { questionsOf, ruleVariables } from './rule-names.ts'

/** The types of questions that rules can't use, as the end of a sentence. */
const UNUSABLE: Partial<Record<QuestionType, string>> = {
  note: 'a note',
  matrix: 'a matrix',
  table: 'a table. Name the total of one of its columns and use that',
  file: 'a file',
  address: 'an address',
  person: 'a person',
  facility: 'a facility',
}

/** The names that a rule reads, and where it is. */
type Use = Readonly<{ path: Path; names: ReadonlySet<string> }>

/** Reports faults in the rules of a definition: invalid ones with their position, and those that need each other. */
export function checkRules(definition: Definition, faults: Faults): void {
  const variables = ruleVariables(definition)
  const questions = questionsOf(definition)
  const uses = new Map<string, Use[]>()
  definition.sections.forEach((section, sectionAt) => {
    const path = ['sections', sectionAt]
    const read = (text: string | undefined, ...at: (string | number)[]): Use[] => {
      return readUse(text, variables, questions, faults, [...path, ...at])
    }
    const ofSection = read(section.visibleIf, 'visibleIf')
    section.questions.forEach((question, at) => {
      const visible = read(question.visibleIf, 'questions', at, 'visibleIf')
      read(question.requiredIf, 'questions', at, 'requiredIf')
      read(question.check, 'questions', at, 'check')
      const calculated = checkCalculation(question, variables, questions, faults, [...path, 'questions', at])
      uses.set(question.code, [...visible, ...calculated, ...ofSection])
    })
  })
  if (faults.ruleFaults >= MAX_RULE_FAULTS) {
    faults.warn(['sections'], 'Other rules may have errors too. Fix these first.')
    return
  }
  checkCycles(questions, uses, faults)
}

function readUse(
  text: string | undefined,
  variables: Variables,
  questions: readonly Question[],
  faults: Faults,
  path: Path,
): Use[] {
  if (text === undefined || text.trim() === '') return []
  if (faults.ruleFaults >= MAX_RULE_FAULTS) return []
  const read = readRule(text, variables)
  if (read.ok) return [{ path, names: fieldsOfTree(read.rule.tree).all }]
  reportProblem(read.problem, text, questions, faults, path)
  return []
}

function checkCalculation(
  question: Question,
  variables: Variables,
  questions: readonly Question[],
  faults: Faults,
  at: Path,
): Use[] {
  if (question.type !== 'computed') return []
  if (faults.ruleFaults >= MAX_RULE_FAULTS) return []
  const path = [...at, 'calculate']
  const { calculate, result } = question
  const read = readFormula(calculate, variables)
  if (!read.ok) {
    reportProblem(read.problem, calculate, questions, faults, path)
    return []
  }
  const { made } = read
  const type = made.type === 'condition' ? 'boolean' : made.type
  if (type !== result) {
    const whole = { from: 0, to: calculate.length }
    faults.error(path, `The result is ${RESULTS[type]}, not ${RESULTS[result]}.`, whole)
  }
  return [{ path, names: fieldsOfTree(made.type === 'condition' ? made.tree : made.value).all }]
}

const RESULTS = { number: 'a number', text: 'text', boolean: 'yes or no' } as const

function reportProblem(
  { message, from, to }: Problem,
  text: string,
  questions: readonly Question[],
  faults: Faults,
  path: Path,
): void {
  const name = text.slice(from, to)
  const isName = tokensOf(text).some(
    (token) => token.kind === 'word' && token.from === from && token.to === to,
  )
  const question = isName ? questions.find(({ code }) => code === name) : undefined
  const why = question === undefined ? undefined : UNUSABLE[question.type]
  const sentence = why === undefined ? message : `Rules can't use \`${name}\`: it is ${why}.`
  faults.error(path, sentence, { from, to })
}

/** Reports each cycle where its first question names the next one. */
function checkCycles(
  questions: readonly Question[],
  uses: ReadonlyMap<string, readonly Use[]>,
  faults: Faults,
): void {
  const tables = new Map(
    questions.flatMap((question) => totalsOf(question).map((name) => [name, question.code])),
  )
  const codeOf = (name: string) => tables.get(name) ?? name
  const needs = new Map<string, readonly string[]>()
  for (const { code } of questions) {
    needs.set(
      code,
      (uses.get(code) ?? []).flatMap(({ names }) => [...names].map(codeOf)),
    )
  }
  for (;;) {
    const { cycle } = orderByNeeds(needs)
    const [first = '', next = ''] = cycle ?? []
    if (cycle === null) return
    const use = uses.get(first)?.find(({ names }) => [...names].some((name) => codeOf(name) === next))
    faults.error(use?.path ?? [], cycleSentence(cycle, use))
    // Without this one, further cycles appear.
    needs.set(first, [])
  }
}

function cycleSentence(cycle: readonly string[], use: Use | undefined): string {
  const [first = ''] = cycle
  if (cycle.length > 2)
    return `These questions depend on each other: ${cycle.map((code) => `\`${code}\``).join(' → ')}.`
  return use?.path.at(-1) === 'visibleIf' && use.path.length === 3
    ? `The rule of a section can't use its own question \`${first}\`.`
    : `\`${first}\` depends on itself.`
}

/** Whether a code can be the name of a field in rules. */
export function isRuleName(code: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(code)) return false
  try {
    return parse(code).op === 'id'
  } catch (error) {
    if (error instanceof RuleError) return false
    throw error
  }
}
