import type { RuleGroupType, RuleType } from 'react-querybuilder'
import type { RuleLeaf } from '#contract/expressions/leaf.ts'
import type { RuleGroup } from '#contract/expressions/rules.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { draftOf, fitted, leafOf, readWay } from '../condition.ts'

/** One condition as the builder holds it: how it is compared is a `Way`, its value always a list of texts. */
export type BuilderRow = RuleType<string, string, readonly string[]>
/** Conditions and groups as the builder holds them. */
export type BuilderGroup = RuleGroupType<BuilderRow>

/** What the builder shows where there is no rule yet. */
export const NO_CONDITIONS: BuilderGroup = { combinator: 'and', not: false, rules: [] }

/** Rows of a rule for the builder. */
export function toBuilder({ all, not, rules }: RuleGroup, variables: Variables): BuilderGroup {
  return {
    combinator: all ? 'and' : 'or',
    not,
    rules: rules.map((rule) => ('rules' in rule ? toBuilder(rule, variables) : rowOf(rule, variables))),
  }
}

function rowOf(leaf: RuleLeaf, variables: Variables): BuilderRow {
  const variable = variables[leaf.field]
  if (variable === undefined) return { field: leaf.field, operator: leaf.operator, value: [] }
  const { field, way, values } = draftOf(leaf, variable)
  return { field, operator: way, value: values }
}

/**
 * What stands in the builder as rows of a rule, or the sentence that says what is unfinished. A group without a
 * condition inside another is unfinished as well: left out, it would change what "any of" means.
 */
export function fromBuilder(group: BuilderGroup, variables: Variables): RuleGroup | string {
  const rules: RuleGroup['rules'] = []
  for (const rule of group.rules) {
    if (isGroup(rule) && rule.rules.length === 0) {
      return 'A group has no conditions. Add one, or remove the group.'
    }
    const read = isGroup(rule) ? fromBuilder(rule, variables) : fromRow(rule, variables)
    if (typeof read === 'string') return read
    rules.push(read)
  }
  return { all: group.combinator !== 'or', not: group.not === true, rules }
}

function fromRow({ field, operator, value }: BuilderRow, variables: Variables): RuleLeaf | string {
  const variable = variables[field]
  const way = variable === undefined ? null : readWay(operator, variable)
  if (way === null) return 'A condition has no field.'
  return leafOf({ field, way, values: readValues(value) }, variables)
}

/**
 * The builder's state after a change. Changing how a row is compared leaves its value, and what a day was is no number
 * of days.
 */
export function tidied(group: BuilderGroup, variables: Variables): BuilderGroup {
  return {
    ...group,
    rules: group.rules.map((rule) => {
      if (isGroup(rule)) return tidied(rule, variables)
      const variable = variables[rule.field]
      const way = variable === undefined ? null : readWay(rule.operator, variable)
      if (variable === undefined || way === null) return rule
      const values = readValues(rule.value)
      return { ...rule, value: fitted({ field: rule.field, way, values }, variable) }
    }),
  }
}

/** The value of a row: the builder itself puts a text there where it knows none. */
export function readValues(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Whether nothing was changed: then the rule stays byte for byte what it was. */
export function isUntouched(now: BuilderGroup, before: BuilderGroup): boolean {
  return JSON.stringify(plain(now)) === JSON.stringify(plain(before))
}

function plain({ combinator, not, rules }: BuilderGroup): unknown {
  return [
    // With a single row "all" and "any" are the same.
    rules.length < 2 || combinator,
    not === true,
    rules.map((rule) => (isGroup(rule) ? plain(rule) : [rule.field, rule.operator, readValues(rule.value)])),
  ]
}

function isGroup(rule: BuilderRow | BuilderGroup): rule is BuilderGroup {
  return 'rules' in rule
}
