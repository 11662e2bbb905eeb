import { readRule } from '#contract/expressions/read.ts'
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
  Object.entries(variablesOf(VEHICLE_LIST, ({ func }) => func !== COST.func)).filter(
    ([name]) => !RESULTS.includes(name),
  ),
)

/** Whether the vehicles that a condition selects depend on the date, or on the time of day. */
export function timeUseOf(condition: string): { usesDates: boolean; usesNow: boolean } {
  if (condition === '') return { usesDates: false, usesNow: false }
  const read = readRule(condition, CONDITION_VARIABLES)
  if (!read.ok) return { usesDates: false, usesNow: false }
  const parts = JSON.stringify(read.rule.tree)
  const usesNow = parts.includes('"op":"now"')
  const usesDates = parts.includes('"op":"daysAgo"') || parts.includes('"field":"daysInStock"')
  return { usesDates: usesDates || usesNow, usesNow }
}
