import { describeLeaf, type NameOf } from '#contract/expressions/describe.ts'
import { readRule } from '#contract/expressions/read.ts'
import { conjuncts } from '#contract/expressions/rules.ts'
import { variablesOf, type Variables } from '#contract/expressions/variables.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'

const COST = can(Func.vehicleCost, Opr.list)
/** What price rules lead to, so their conditions can't depend on it. */
const RESULTS: readonly string[] = ['sellingPrice', 'totalPrice']

/**
 * The vehicle fields that conditions of price rules and channels may use. No costs, because channel files are public and
 * price rules are seen by users who may not see costs.
 */
export const CONDITION_VARIABLES: Variables = Object.fromEntries(
  Object.entries(variablesOf(VEHICLE_LIST, ({ func }) => func !== COST.func))
    .filter(([name]) => !RESULTS.includes(name))
    // Without the other columns of the list beside it, "Days" doesn't say of what.
    .map(([name, one]) => [name, name === 'daysInStock' ? { ...one, title: 'Days in stock' } : one]),
)

/** A condition in words: "Condition is Used, Days in stock is over 60". A part that isn't a simple condition is as written. */
export function describeCondition(condition: string, nameOf: NameOf): string {
  const read = readCondition(condition)
  if (!read.ok) return condition
  return conjuncts(read.rule)
    .map(({ text, leaf }) => {
      if (leaf === null) return text
      const { field, operator, value } = describeLeaf(leaf, CONDITION_VARIABLES, nameOf)
      return [field, operator, value].filter((word) => word !== '').join(' ')
    })
    .join(', ')
}

type ReadCondition = ReturnType<typeof readRule>
/** Conditions that were read last, by their text. */
const conditions = new Map<string, ReadCondition>()
/** More than a file of rules has, and at most some megabytes. */
const MOST_KEPT = 400

/** Reads a condition. The last ones are kept, because a rule's is needed for its check, its dates and its SQL. */
export function readCondition(text: string): ReadCondition {
  const known = conditions.get(text) ?? readRule(text, CONDITION_VARIABLES)
  // The order of the map is the order of use.
  conditions.delete(text)
  conditions.set(text, known)
  for (const [oldest] of conditions) {
    if (conditions.size <= MOST_KEPT) break
    conditions.delete(oldest)
  }
  return known
}

/** Whether the vehicles that a condition selects depend on the date, or on the time of day. */
export function timeUseOf(condition: string): { usesDates: boolean; usesNow: boolean } {
  if (condition === '') return { usesDates: false, usesNow: false }
  const read = readCondition(condition)
  if (!read.ok) return { usesDates: false, usesNow: false }
  const parts = JSON.stringify(read.rule.tree)
  const usesNow = parts.includes('"op":"now"')
  const usesDates = parts.includes('"op":"daysAgo"') || parts.includes('"field":"daysInStock"')
  return { usesDates: usesDates || usesNow, usesNow }
}
