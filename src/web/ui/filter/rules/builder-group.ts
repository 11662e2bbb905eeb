import type { RuleGroupType, RuleType } from 'react-querybuilder'
import type { RuleLeaf } from '#contract/expressions/leaf.ts'
import type { RuleGroup } from '#contract/expressions/rules.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { draftOf, compatibleValues, leafOf, parseComparison } from '../condition.ts'

/** A condition in the builder: the operator is a `Way`, the value always a list of texts. */
export type BuilderRow = RuleType<string, string, readonly string[]>
/** Conditions and groups in the builder. */
export type BuilderGroup = RuleGroupType<BuilderRow>

/** An empty builder. */
export const NO_CONDITIONS: BuilderGroup = { combinator: 'and', not: false, rules: [] }

/** Converts a rule group for the builder. */
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
  const { field, comparison, values } = draftOf(leaf, variable)
  return { field, operator: comparison, value: values }
}

/**
 * Converts the builder's state to a rule group, or returns an error message for what is incomplete. An empty nested
 * group is incomplete too: dropping it would change the meaning of "any of".
 */
export function fromBuilder(group: BuilderGroup, variables: Variables): RuleGroup | string {
  const rules: RuleGroup['rules'] = []
  for (const rule of group.rules) {
    if (isGroup(rule) && rule.rules.length === 0) {
      return 'A group has no conditions. Add one or remove the group.'
    }
    const read = isGroup(rule) ? fromBuilder(rule, variables) : fromRow(rule, variables)
    if (typeof read === 'string') return read
    rules.push(read)
  }
  return { all: group.combinator !== 'or', not: group.not === true, rules }
}

function fromRow({ field, operator, value }: BuilderRow, variables: Variables): RuleLeaf | string {
  const variable = variables[field]
  const comparison = variable === undefined ? null : parseComparison(operator, variable)
  if (comparison === null) return 'A condition has no field.'
  return leafOf({ field, comparison, values: readValues(value) }, variables)
}

/**
 * The builder's state after a change. Changing the comparison keeps the value, except that a date doesn't become a
 * number of days.
 */
export function tidied(group: BuilderGroup, variables: Variables): BuilderGroup {
  return {
    ...group,
    rules: group.rules.map((rule) => {
      if (isGroup(rule)) return tidied(rule, variables)
      const variable = variables[rule.field]
      const comparison = variable === undefined ? null : parseComparison(rule.operator, variable)
      if (variable === undefined || comparison === null) return rule
      const values = readValues(rule.value)
      return { ...rule, value: compatibleValues({ field: rule.field, comparison, values }, variable) }
    }),
  }
}

/** The values of a row: the builder sets a text when it has no value. */
export function readValues(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Whether nothing changed: then the rule stays byte for byte as it was. */
export function isUntouched(now: BuilderGroup, before: BuilderGroup): boolean {
  return JSON.stringify(plain(now)) === JSON.stringify(plain(before))
}

function plain({ combinator, not, rules }: BuilderGroup): unknown {
  return [
    // With a single row, "all" and "any" are equivalent.
    rules.length < 2 || combinator,
    not === true,
    rules.map((rule) => (isGroup(rule) ? plain(rule) : [rule.field, rule.operator, readValues(rule.value)])),
  ]
}

function isGroup(rule: BuilderRow | BuilderGroup): rule is BuilderGroup {
  return 'rules' in rule
}
