import type { BridgeLine, Comparison } from '#contract/carbon/results/comparison.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import type { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

type Denominator = Pick<Totals['intensities'][number], 'kind' | 'name' | 'amount' | 'unit'>

/** The intensity denominators of an inventory, in order. */
export function readDenominators(db: Database, inventoryId: string): Promise<Denominator[]> {
  return db
    .selectFrom('intensityDenominators')
    .select(['kind', 'name', 'unit'])
    .select((eb) => eb.cast<string>(eb.fn('trim_scale', [eb.ref('amount')]), 'text').as('amount'))
    .where('inventoryId', '=', inventoryId)
    .orderBy('place')
    .execute()
}

/** kg per unit of the denominator. The amount is never 0. */
export const perOne = (kg: string, { amount }: Pick<Denominator, 'amount'>): string =>
  plain(new Figure(kg).div(amount))

/**
 * The intensities that two inventories have in common: with the same kind, name and unit. Others can't be compared. There
 * is no change between totals of different data points.
 */
export async function compareIntensities(
  db: Database,
  {
    before,
    after,
    total,
  }: {
    before: string
    after: string
    total: Pick<BridgeLine, 'before' | 'after' | 'unmatchedBefore' | 'unmatchedAfter'>
  },
): Promise<Comparison['intensities']> {
  const [first, second] = [await readDenominators(db, before), await readDenominators(db, after)]
  return second.flatMap((own) => {
    const { kind, name, unit } = own
    const former = first.find((one) => one.kind === kind && one.name === name && one.unit === unit)
    if (former === undefined) return []
    const [was, is] = [perOne(total.before, former), perOne(total.after, own)]
    const isUnequal = Number(total.unmatchedBefore) !== 0 || Number(total.unmatchedAfter) !== 0
    const change =
      Number(was) === 0 || isUnequal ? null : plain(new Figure(is).minus(was).div(was).times(100))
    return [{ kind, name, unit, before: was, after: is, change }]
  })
}
