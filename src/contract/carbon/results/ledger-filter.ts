import type { SCOPE2_METHODS } from '../activity/ledger-schema.ts'
import { SCOPE3_CATEGORIES } from '../inventories/inventory-schema.ts'

const LINE_KINDS = ['all', 'missing', 'scope', 'facility', 'source', 'month'] as const

/** A total of an inventory: all of it, its missing results, or a line of one of its breakdowns. */
export type LedgerTotal = Readonly<{
  by: (typeof LINE_KINDS)[number]
  /** The key of the line: a scope (3 for all of scope 3), an ID, or the first day of a month. */
  key: string
}>

/** A line in the URL: "scope:3.1", "facility:12", "all:". */
export const lineText = ({ by, key }: LedgerTotal): string => `${by}:${key}`

/** Parses the text of `lineText`; null for anything else. */
export function readLine(text: string | undefined): LedgerTotal | null {
  const [by, ...rest] = (text ?? '').split(':')
  const kind = LINE_KINDS.find((one) => one === by)
  return kind === undefined ? null : { by: kind, key: rest.join(':') }
}

/** The rows of a line for `ledger.rows`. */
export function ledgerInput({ by, key }: LedgerTotal) {
  if (by === 'missing') return { isMissing: true }
  if (by === 'scope') return { scope: key }
  if (by === 'facility') return { facilityId: key }
  if (by === 'source') return { sourceId: key }
  return by === 'month' ? { month: key } : {}
}

const textOf = (value: string): string => JSON.stringify(value)
const SCOPE3 = SCOPE3_CATEGORIES.map((_name, at) => textOf(`3.${at + 1}`)).join(', ')

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
    scope: [key === '3' ? `scope in [${SCOPE3}]` : `scope == ${textOf(key)}`],
    facility: [`facilityId == ${textOf(key)}`],
    source: [`sourceId == ${textOf(key)}`],
    month: [`month == date(${textOf(key)})`],
  }[by]
  return [`inventory == ${textOf(inventoryId)}`, ...conditions, `method in ["both", "${method}"]`].join(
    ' && ',
  )
}
