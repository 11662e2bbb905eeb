import type { SCOPE2_METHODS } from '../activity/ledger-schema.ts'

/** A total of an inventory: all of it, its missing results, or a line of one of its breakdowns. */
export type LedgerTotal = Readonly<{
  by: 'all' | 'missing' | 'scope' | 'facility' | 'source' | 'month'
  /** The key of the line: a scope, an ID, or the first day of a month. */
  key: string
}>

const textOf = (value: string): string => JSON.stringify(value)

/**
 * The rule for the lines of the ledger that add up to a total by one method of scope 2.
 */
export function ledgerFilter(
  inventoryId: string,
  { by, key }: LedgerTotal,
  method: (typeof SCOPE2_METHODS)[number],
): string {
  const conditions = {
    all: [],
    missing: ['kg == null'],
    scope: [`scope == ${textOf(key)}`],
    facility: [`facilityId == ${textOf(key)}`],
    source: [`sourceId == ${textOf(key)}`],
    month: [`month == date(${textOf(key)})`],
  }[by]
  return [`inventory == ${textOf(inventoryId)}`, ...conditions, `method in ["both", "${method}"]`].join(
    ' && ',
  )
}
