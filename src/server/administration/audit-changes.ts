import { isDeepStrictEqual } from 'node:util'
import type { AuditChange } from '#contract/administration/audit-log.ts'
import type { Image, Names } from './read-names.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'

/** The database's placeholder for a secret. */
const COVERED = '***'
/** Columns without information of their own: derived from the change or another column. */
const HIDDEN =
  /^(id|customer_id|version|created_at|updated_at|updated_by|event|.*_key|provenance|photo_count|completeness|waits_since|is_on_costs|is_about_buyer|publishable|row_fingerprint|source_price_cents|seen_source_price_cents|asks_price|feed_source_id|missing_runs|removed_from|hour|minute)$/
/** The sentence of an entry of these tables says everything. */
const SAID = new Set(['user_permissions', 'user_type_permissions', 'memberships'])
/** What the sentence of such an event says already. */
const SAID_BY_EVENT: Readonly<Record<string, ReadonlySet<string>>> = {
  sign_ins: new Set(['outcome', 'factor', 'person', 'times']),
  refusals: new Set(['message', 'times']),
  strangers: new Set(['message', 'times']),
}
/** The permission for costs, and for the names of price rules on costs. */
export const COST = can(Func.vehicleCost, Opr.read)
/**
 * Whether a price rule, or a requested change of one, is calculated from costs: its amounts and a price would tell the cost, and
 * users write amounts into names.
 */
const isOnCosts = (row: Image): boolean => ON_COSTS.test(JSON.stringify(row))
/** Of a row of price rules, or of the input of a request. */
const ON_COSTS =
  /"is_on_costs":\s*true|"field\\*":\s*\\*"(?:cost|invoice)|"above_?(?:cost|invoice)_?cents\\*":\s*-?\d|"when_?missing\\*":\s*\\*"cost/i
/** Columns that need an additional permission; `when`: only in some rows. */
const RESTRICTED: Readonly<Record<string, { permission: Permission; when?: (row: Image) => boolean }>> = {
  'vehicles.cost_cents': { permission: COST },
  'vehicles.invoice_cents': { permission: COST },
  'pricing_rules.name': { permission: COST, when: isOnCosts },
  'pricing_rules.cents': { permission: COST, when: isOnCosts },
  'pricing_rules.percent': { permission: COST, when: isOnCosts },
  'pricing_rules.steps': { permission: COST, when: isOnCosts },
  'pricing_rules.above_cost_cents': { permission: COST },
  'pricing_rules.above_invoice_cents': { permission: COST },
  'pricing_rules.off_msrp_percent': { permission: COST, when: isOnCosts },
  'pricing_rule_requests.title': { permission: COST, when: isOnCosts },
  'pricing_rule_requests.input': { permission: COST, when: isOnCosts },
}
const MAX_LENGTH = 2_000

type Entry = {
  table: string
  before: Image
  after: Image
  /** The names of the records that the entry refers to. Without them, their IDs are returned, for the caller to name. */
  names?: Names
  /** The entry is about a price rule that is on costs now: neither is told what it was before. */
  isOnCosts?: boolean
  may: (permission: Permission) => boolean
}

/** The changes in an entry, field by field, that the reader is allowed to see. */
export function changesOf({
  table,
  before,
  after,
  names: known,
  may,
  isOnCosts: isNow = false,
}: Entry): AuditChange[] {
  if (SAID.has(table)) return []
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.flatMap((name): AuditChange[] => {
    if (SAID_BY_EVENT[table]?.has(name)) return []
    const isOwnKey = name === 'key' && table === 'email_templates'
    if ((HIDDEN.test(name) && !isOwnKey) || isRestricted(`${table}.${name}`, { before, after, may, isNow }))
      return []
    const [was, is] = [before?.[name] ?? null, after?.[name] ?? null]
    const valueOf = (value: unknown) =>
      known?.get(`${name} ${String(value)}`) ??
      (known && isReference(name) && value !== null ? GONE : shownValue(name, value))
    const shown = { before: valueOf(was), after: valueOf(is) }
    const isSame = isDeepStrictEqual(was, is) || (shown.before === null && shown.after === null)
    if (isSame) return []
    return [
      {
        field: displayName(name),
        ...shown,
        isCovered: was === COVERED || is === COVERED,
      },
    ]
  })
}

function isRestricted(
  column: string,
  { before, after, may, isNow }: Pick<Entry, 'before' | 'after' | 'may'> & { isNow: boolean },
): boolean {
  const { permission, when = () => true } = RESTRICTED[column] ?? {}
  return permission !== undefined && !may(permission) && (isNow || [before, after].some(when))
}

/** "postal code" of postal_code, "price" of price_cents, "password" of password_hash, "lot" of lot_id, "public" of is_public. */
export function displayName(name: string): string {
  return name
    .replace(/^(is|has)_/, '')
    .replace(/_(cents|hash|sealed|secret|id)$/, '')
    .replace(/_ids$/, 's')
    .replaceAll('_', ' ')
}

/** As the database writes a moment. */
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+(?:\+00:00|Z)$/
/** An ID says nothing to a reader. */
const isReference = (name: string): boolean => /_ids?$/.test(name) && name !== 'message_id'
const GONE = 'A record that is not named here'

function shownValue(name: string, value: unknown): string | null {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return null
  if (value === true || value === false) return value ? 'Yes' : 'No'
  if (typeof value === 'number' && name.endsWith('_cents')) return (value / 100).toFixed(2)
  const text = wordsOf(value).replace(MOMENT, '$1 $2 UTC')
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

/** A value in words, also one of several parts: "make Ford, model F-150; make Kia". */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) {
    const isFlat = value.every((one) => typeof one !== 'object' || one === null)
    return value.map((one) => wordsOf(one)).join(isFlat ? ', ' : '; ')
  }
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return value == null ? '' : JSON.stringify(value)
  return Object.entries(value)
    .flatMap(([name, part]) => {
      const words = shownValue(name, part)
      return words === null ? [] : [`${displayName(spaced(name))} ${words}`]
    })
    .join(', ')
}

/** "days_in_stock" of daysInStock. */
const spaced = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
