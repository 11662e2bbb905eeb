import type { z } from 'zod'
import { dayAfter } from '#contract/days.ts'
import { pricingRuleRecord } from '#contract/pricing/rules/pricing-rules.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { insertRule } from '#server/pricing/index.ts'

/** A price rule; `fromDay` and `untilDay` count from today, so that the demo world never runs out of current rules. */
export type DemoRule = Omit<z.input<typeof pricingRuleRecord.create>, 'fromMinute' | 'untilMinute'> & {
  fromDay?: number
  untilDay?: number
}

/** Adds price rules. */
export async function addDemoRules(db: Database, rules: readonly DemoRule[]): Promise<void> {
  for (const rule of rules) await addDemoRule(db, rule)
}

async function addDemoRule(db: Database, { fromDay, untilDay, ...rule }: DemoRule): Promise<void> {
  const minute = (days: number | undefined) =>
    days === undefined ? null : `${dayAfter(clock.today('UTC'), days)}T00:00`
  await insertRule(
    db,
    pricingRuleRecord.create.parse({ ...rule, fromMinute: minute(fromDay), untilMinute: minute(untilDay) }),
  )
}
