import { dayAfter } from '#contract/days.ts'
import type { PricingRule } from './pricing-rules.ts'
import { timeUseOf } from './rule-conditions.ts'

/** Vehicles are sold long before. */
const MAX_DAYS = 1_500
/** The most days that are looked at: each is a pass over the stock. */
const MAX_LOOKED_AT = 6

type Timed = Pick<PricingRule, 'isActive' | 'condition' | 'steps' | 'fromMinute' | 'untilMinute'>

/**
 * The minutes at which a rule may do more than now: when all vehicles of today have reached a step or a number of days in its
 * condition, and on the dates that its condition names. Empty for a rule that does the same on every day.
 */
export function laterMinutes(rule: Timed, today: string): string[] {
  if (!rule.isActive) return []
  const { usesDates } = timeUseOf(rule.condition)
  const named = usesDates ? [...rule.condition.matchAll(/\d{4}-\d{2}-\d{2}/g)].map(([day]) => day) : []
  // Any number may be one of days: 45 in `daysInStock > 45` or `daysAgo(45)`.
  const plain = rule.condition.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
  const numbers = usesDates
    ? [...plain.matchAll(/(?<![\w.])\d+(?![\w.])/g)].map(([digits]) => Number(digits))
    : []
  const days = [...numbers.map((count) => count + 1), ...rule.steps.map(({ days: count }) => count)]
    .filter((count) => count > 0 && count <= MAX_DAYS)
    .map((count) => dayAfter(today, count))
  const all = [...new Set([...days, ...named.flatMap((day) => [day, dayAfter(day, 1)])])].filter(
    (day) => day > today,
  )
  return all
    .toSorted()
    .slice(-MAX_LOOKED_AT)
    .map((day) => `${day}T00:00`)
    .filter((minute) => isWithin(minute, rule))
}

const isWithin = (minute: string, { fromMinute, untilMinute }: Timed): boolean =>
  (fromMinute === null || minute >= fromMinute) && (untilMinute === null || minute < untilMinute)
