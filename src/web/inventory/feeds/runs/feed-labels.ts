import type { FeedRow, FeedRun, FeedRunRow } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/inventory/vehicles/vehicle-fields.ts'
import { count } from '#web/ui/layout/date-format.ts'

type Counts = Pick<FeedRunRow, 'new' | 'changed' | 'prices' | 'missing' | 'refused'>

/** "12 new, 41 changed (8 prices), 3 missing, 2 refused", without what there is none of. */
export function describeCounts({ new: added, changed, prices, missing, refused }: Counts): string {
  const priced = prices === 0 ? '' : ` (${count(prices, 'price', 'prices')})`
  const parts = [
    added === 0 ? null : `${added.toLocaleString()} new`,
    changed === 0 ? null : `${changed.toLocaleString()} changed${priced}`,
    missing === 0 ? null : `${missing.toLocaleString()} missing`,
    refused === 0 ? null : `${refused.toLocaleString()} refused`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'nothing to change' : parts.join(', ')
}

/** "98 % of columns known: 12 new, 41 changed (8 prices)." */
export function describeRun(run: Counts & Pick<FeedRun, 'columns'>): string {
  const counts = describeCounts(run)
  const { columns } = run
  if (columns === null || columns.total === 0) return `${counts.charAt(0).toUpperCase()}${counts.slice(1)}.`
  return `${Math.floor((columns.known / columns.total) * 100)} % of columns known: ${counts}.`
}

/** So many names a refusal tells. */
const TOLD_NAMES = 5

/**
 * Why files that were dropped or chosen together are not taken, as a sentence; null: they are. Which of them would be the
 * right ones is nobody's guess, so that none is taken.
 * @param rule how many belong together, as a sentence
 */
export function refuseFiles(
  files: readonly { name: string }[],
  { most, rule }: { most: number; rule: string },
): string | null {
  if (files.length === 0) return 'Nothing was taken: a folder cannot be brought. Drop the file in it.'
  if (files.length <= most) return null
  const more = files.length - TOLD_NAMES
  const names = files.slice(0, TOLD_NAMES).map(({ name }) => name)
  const told = more > 0 ? [...names, `${more.toLocaleString()} more`] : names
  return `None of these was taken: ${told.join(', ')}. ${rule}`
}

/** Whether something is being done with it that ends by itself. */
export function isUnderWay({ status }: Pick<FeedRunRow, 'status'>): boolean {
  return status === 'reading' || status === 'applying' || status === 'undoing'
}

/** The title of a field; amounts are `priceCents` in calls and `price` in feeds. */
export function fieldTitle(field: string): string {
  const name = field.replace(/Cents$/, '')
  if (isVehicleField(name)) return VEHICLE_FIELDS[name].title
  const words = name.replace(/Id$/, '').replace(/([a-z])([A-Z])/g, '$1 $2')
  return `${words.charAt(0).toUpperCase()}${words.slice(1).toLowerCase()}`
}

/** A value of a vehicle as people read it: cents as money, lists by their number, nothing as "none". */
export function showFeedValue(field: string, value: unknown): string {
  const name = field.replace(/Cents$/, '')
  if (value === null || value === undefined || value === '') return 'none'
  if (Array.isArray(value)) {
    const isPhotos = name === 'photos'
    return isPhotos ? count(value.length, 'photo', 'photos') : value.map(String).join(', ') || 'none'
  }
  if (typeof value === 'number') {
    const isMoney = isVehicleField(name) && VEHICLE_FIELDS[name].kind === 'money'
    if (isMoney) return (value / 100).toLocaleString(undefined, { minimumFractionDigits: 2 })
    return name === 'year' ? String(value) : value.toLocaleString()
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What tells most of a vehicle, first. */
const FIRST = [
  'price',
  'msrp',
  'feedPrice',
  'marketPrice',
  'bookValue',
  'mileage',
  'condition',
  'colour',
  'body',
  'trim',
  'status',
]

/** The changes of a row, those that people look for first. */
export function sortChanges(changes: FeedRow['changes']): FeedRow['changes'] {
  const rank = (field: string) => {
    const at = FIRST.indexOf(field.replace(/Cents$/, ''))
    return at < 0 ? FIRST.length : at
  }
  return changes.toSorted((one, other) => rank(one.field) - rank(other.field))
}

function isVehicleField(name: string): name is VehicleFieldName {
  return Object.hasOwn(VEHICLE_FIELDS, name)
}
