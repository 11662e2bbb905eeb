import { capitalize } from '#contract/capitalize.ts'
import type { FeedRow, FeedRun, FeedRunRow } from '#contract/feeds/runs/feed-runs.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { count } from '#web/ui/layout/date-format.ts'

type Counts = Pick<FeedRunRow, 'new' | 'changed' | 'prices' | 'missing' | 'refused' | 'leftOut'>

/** "12 new, 41 changed (8 prices), 3 missing, 2 rejected", without zero counts. */
export function describeCounts({ new: added, changed, prices, missing, refused, leftOut }: Counts): string {
  const priced = prices === 0 ? '' : ` (${count(prices, 'price', 'prices')})`
  const parts = [
    added === 0 ? null : `${added.toLocaleString()} new`,
    changed === 0 ? null : `${changed.toLocaleString()} changed${priced}`,
    missing === 0 ? null : `${missing.toLocaleString()} missing`,
    refused === 0 ? null : `${refused.toLocaleString()} rejected`,
    leftOut === 0 ? null : `${leftOut.toLocaleString()} left out`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'no changes' : parts.join(', ')
}

/** "98% of columns matched: 12 new, 41 changed (8 prices)." */
export function describeRun(run: Counts & Pick<FeedRun, 'columns'>): string {
  const counts = describeCounts(run)
  const { columns } = run
  if (columns === null || columns.total === 0) return `${capitalize(counts)}.`
  return `${Math.floor((columns.known / columns.total) * 100)}% of columns matched: ${counts}.`
}

/** "Takes away: 2 vehicles sold, the price of 1 vehicle." Applied: "Took away: ...". Also what it puts back on sale and moves. Empty if it does none of it. */
export function describeTakenAway({
  takenAway,
  backOnSale,
  moved,
  status,
  heldPrices,
}: Pick<FeedRun, 'takenAway' | 'backOnSale' | 'moved' | 'status' | 'heldPrices'>): string {
  const { gone, removed, prices, photos, mileages, lowerMileages } = takenAway
  const vehicles = (of: number) => count(of, 'vehicle', 'vehicles')
  const parts = [
    gone === 0 ? null : `${vehicles(gone)} sold or archived`,
    removed === 0 ? null : `${vehicles(removed)} removed`,
    prices === 0 ? null : `the price of ${vehicles(prices)}`,
    photos === 0 ? null : `photos of ${vehicles(photos)}`,
    mileages === 0 ? null : `the mileage of ${vehicles(mileages)}`,
    lowerMileages === 0 ? null : `part of the mileage of ${vehicles(lowerMileages)}`,
  ].filter((part) => part !== null)
  const isDone = status === 'applied'
  const taken = parts.length === 0 ? [] : [`${isDone ? 'Took' : 'Takes'} away: ${parts.join(', ')}.`]
  const back = backOnSale === 0 ? [] : [`${isDone ? 'Put' : 'Puts'} ${vehicles(backOnSale)} back on sale.`]
  const lots = moved === 0 ? [] : [`${isDone ? 'Moved' : 'Moves'} ${vehicles(moved)} to another lot.`]
  const held = heldPrices === null ? [] : [`${count(heldPrices.open, 'price', 'prices')} not taken.`]
  return [...taken, ...back, ...lots, ...held].join(' ')
}

/** How many file names an error lists. */
const MAX_NAMES = 5

/**
 * Why files dropped or chosen together can't be uploaded; null if they can. If there are too many, none is uploaded, because there
 * is no way to tell which ones were meant.
 * @param rule how many files are allowed, as a sentence
 */
export function refuseFiles(
  files: readonly { name: string }[],
  { most, rule }: { most: number; rule: string },
): string | null {
  if (files.length === 0) return "Folders can't be uploaded. Drop the files in the folder instead."
  if (files.length <= most) return null
  const more = files.length - MAX_NAMES
  const names = files.slice(0, MAX_NAMES).map(({ name }) => name)
  const listed = more > 0 ? [...names, `${more.toLocaleString()} more`] : names
  return `These files weren't uploaded: ${listed.join(', ')}. ${rule}`
}

/** Whether a job is processing the run. */
export function isInProgress({ status }: Pick<FeedRunRow, 'status'>): boolean {
  return status === 'reading' || status === 'applying' || status === 'undoing'
}

/** The title of a field; amounts are `priceCents` in calls and `price` in feeds. */
export function fieldTitle(field: string): string {
  const name = field.replace(/Cents$/, '')
  if (isVehicleField(name)) return VEHICLE_FIELDS[name].title
  const words = name.replace(/Id$/, '').replace(/([a-z])([A-Z])/g, '$1 $2')
  return capitalize(words.toLowerCase())
}

/** A vehicle value for display: cents as money, photos as a count, null as "none". */
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

/** The most important fields, shown first. */
const FIRST = [
  'price',
  'msrp',
  'feedPrice',
  'marketPrice',
  'bookValue',
  'mileage',
  'condition',
  'color',
  'body',
  'trim',
  'status',
]

/** The changes of a row, most important first. */
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
