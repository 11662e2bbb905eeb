import { foldCase } from '#contract/expressions/fold-case.ts'
import { type RuleLeaf, writeLeaf } from '#contract/expressions/leaf.ts'
import type { Variable, Variables } from '#contract/expressions/variables.ts'
import { chosenBy, selectionMode } from '#contract/lists/facets.ts'
import { partsOf } from '../rules/rule-parts.ts'

/** A value of a field; null if it is empty. */
type Value = string | null

/** The values of a field that a filter selects, as written in it. */
export function chosenIn(filter: string, variables: Variables, field: string): readonly Value[] {
  return partsOf(filter, variables).flatMap(({ leaf }) =>
    leaf?.field === field ? (chosenBy(leaf) ?? []) : [],
  )
}

/** Whether a rule treats two values as equal: texts are compared without case. */
export function isSame(one: Value, other: Value): boolean {
  return one === null || other === null ? one === other : foldCase(one) === foldCase(other)
}

/**
 * The filter with a value selected or deselected. The values of a field share one condition; a field with several
 * values per row has one condition for each. Other conditions stay as written.
 */
export function toggleValue(
  filter: string,
  variables: Variables,
  { field, value, isOn }: { field: string; value: Value; isOn: boolean },
): string {
  const variable = Object.hasOwn(variables, field) ? variables[field] : undefined
  if (variable === undefined) return filter
  const parts = partsOf(filter, variables)
  const before = chosenIn(filter, variables, field)
  const texts = leavesOf(field, variable, nextOf(before, variable, { value, isOn })).map((leaf) =>
    writeLeaf(leaf, variable.kind),
  )
  const isOwn = (leaf: RuleLeaf | null) => leaf?.field === field && chosenBy(leaf) !== null
  const first = parts.findIndex(({ leaf }) => isOwn(leaf))
  const kept = parts.flatMap(({ leaf, text }, at) => {
    if (at === first) return texts
    return isOwn(leaf) ? [] : [text]
  })
  return (first < 0 ? [...kept, ...texts] : kept).join(' && ')
}

/** An empty value excludes all others. */
function nextOf(
  before: readonly Value[],
  variable: Variable,
  { value, isOn }: { value: Value; isOn: boolean },
): readonly Value[] {
  const others = before.filter((one) => !isSame(one, value))
  if (!isOn) return others
  if (value === null || selectionMode(variable) === 'one') return [value]
  return [...others.filter((one) => one !== null), value]
}

function leavesOf(field: string, variable: Variable, values: readonly Value[]): RuleLeaf[] {
  const texts = values.filter((value) => value !== null)
  const [first] = texts
  if (values.length > texts.length) return [{ field, operator: 'missing', value: null }]
  if (first === undefined) return []
  if (selectionMode(variable) === 'all') return texts.map((value) => ({ field, operator: 'has', value }))
  return [
    texts.length === 1 ? { field, operator: '==', value: first } : { field, operator: 'in', value: texts },
  ]
}
