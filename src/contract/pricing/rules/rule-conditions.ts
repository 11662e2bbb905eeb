import { dayAfter } from '#contract/days.ts'
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

/** Whether the vehicles that a condition selects depend on the time zone in which its days are counted. */
export function usesTimeZone(condition: string): boolean {
  const read = condition === '' ? null : readCondition(condition)
  if (!read?.ok) return false
  const parts = JSON.stringify(read.rule.tree)
  return ['"op":"day"', '"op":"daysAgo"', '"op":"now"', '"field":"daysInStock"'].some((part) =>
    parts.includes(part),
  )
}

/** Vehicles are sold long before. */
const MAX_DAYS = 1_500
/** The most days that are looked at: each is a pass over the stock. */
const MAX_LOOKED_AT = 6

type Timed = Readonly<{
  isActive: boolean
  condition: string
  steps: readonly { days: number }[]
  fromMinute: string | null
  untilMinute: string | null
}>

/**
 * The minutes at which a rule may do more than now: when all vehicles of today have reached a step or a number of days in its
 * condition, and on the dates that its condition names. Empty for a rule that does the same on every day.
 */
export function laterMinutes(rule: Timed, today: string): string[] {
  if (!rule.isActive) return []
  const { counts, named } = daysIn(rule.condition)
  const days = [...counts.map((count) => count + 1), ...rule.steps.map(({ days: count }) => count)]
  return minutesAfter(today, [...daysAfter(today, days), ...named])
    .slice(-MAX_LOOKED_AT)
    .filter((minute) => isWithin(minute, rule))
}

/**
 * The minutes at which a rule whose condition depends on the date may begin or cease to apply to one vehicle: its own first
 * one, the days in stock and the dates that it names, the next ones first.
 */
export function laterMinutesOf(
  rule: Timed,
  { today, inStockOn }: { today: string; inStockOn: string | null },
): string[] {
  if (!rule.isActive) return []
  const { counts, named } = daysIn(rule.condition)
  const reached =
    inStockOn === null
      ? []
      : daysAfter(
          inStockOn,
          counts.flatMap((count) => [count, count + 1]),
        )
  const minutes = minutesAfter(today, [...reached, ...named]).filter((minute) => isWithin(minute, rule))
  const { fromMinute: from } = rule
  const begins = from !== null && from > `${today}T24` && timeUseOf(rule.condition).usesDates ? [from] : []
  return [...begins, ...minutes].slice(0, MAX_LOOKED_AT)
}

/** The numbers of a condition that may be days, and the dates that it names with the days after them. */
function daysIn(condition: string): { counts: number[]; named: string[] } {
  if (!timeUseOf(condition).usesDates) return { counts: [], named: [] }
  const named = [...condition.matchAll(/\d{4}-\d{2}-\d{2}/g)].map(([day]) => day)
  // Any number may be one of days: 45 in `daysInStock > 45` or `daysAgo(45)`.
  const plain = condition.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
  const counts = [...plain.matchAll(/(?<![\w.])\d+(?![\w.])/g)].map(([digits]) => Number(digits))
  return { counts, named: named.flatMap((day) => [day, dayAfter(day, 1)]) }
}

const daysAfter = (day: string, counts: readonly number[]): string[] =>
  counts.filter((count) => count > 0 && count <= MAX_DAYS).map((count) => dayAfter(day, count))

const minutesAfter = (today: string, days: readonly string[]): string[] =>
  [...new Set(days)]
    .filter((day) => day > today)
    .toSorted()
    .map((day) => `${day}T00:00`)

const isWithin = (minute: string, { fromMinute, untilMinute }: Timed): boolean =>
  (fromMinute === null || minute >= fromMinute) && (untilMinute === null || minute < untilMinute)
