import { fieldSentences } from '#contract/field-sentences.ts'
import { VehicleCells } from '#contract/inventory/vehicle-input.ts'
import type { Vehicle } from '#contract/inventory/vehicles.ts'
import { type GridRow, gridRow } from '#web/ui/grid/grid-column.ts'

/** The columns that can be written in, by the names their values have in the contract. */
const KEYS = ['stock', 'status', 'statusReason', 'lotId', 'priceCents', 'tags'] as const
type Key = (typeof KEYS)[number]
export const isKey = (name: string): name is Key => KEYS.some((key) => key === name)

/** What the cells of a vehicle keep: an amount as plain digits in units of currency, tags with commas between. */
function cellsOf(vehicle: Vehicle): Readonly<Record<Key, string>> {
  const { stock, status, statusReason, lotId, priceCents, tags } = vehicle
  return {
    stock: stock ?? '',
    status,
    statusReason: statusReason ?? '',
    lotId,
    priceCents: priceCents === null ? '' : digitsOf(priceCents),
    tags: tags.join(', '),
  }
}

/** A row as it stands in the database. */
export const rowOf = (vehicle: Vehicle): GridRow => gridRow(vehicle.id, cellsOf(vehicle))

function digitsOf(cents: number): string {
  return (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)
}

/** The cells of a row that differ from the vehicle, by their names. */
export function changedKeys({ cells, refused }: GridRow, vehicle: Vehicle): Key[] {
  const before = cellsOf(vehicle)
  return KEYS.filter((key) => refused[key] !== undefined || (cells[key] ?? '') !== before[key])
}

/** What is sent of a row, or a sentence for each cell that cannot be. Only what differs goes; the version with it. */
export function readRow(
  row: GridRow,
  vehicle: Vehicle,
): { input: VehicleCells } | { wrong: Readonly<Record<string, string>> } {
  const keys = changedKeys(row, vehicle)
  const sent = Object.fromEntries(keys.map((key) => [key, valueOf(key, row.cells[key] ?? '')]))
  const read = VehicleCells.safeParse({ ...sent, id: vehicle.id, version: vehicle.version })
  const wrong = { ...(read.success ? {} : byCell(fieldSentences(read.error))), ...row.refused }
  const needsReason = keys.includes('status') && row.cells['status'] === 'hold'
  if (needsReason && (row.cells['statusReason'] ?? '') === '') wrong['statusReason'] = 'Reason is required.'
  if (!read.success || Object.keys(wrong).length > 0) return { wrong }
  return { input: read.data }
}

/** `tags.2` is told at the cell of the tags. */
export function byCell(sentences: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sentences).map(([path, sentence]) => [path.split('.')[0] ?? '', sentence]),
  )
}

function valueOf(key: Key, text: string): unknown {
  if (key === 'priceCents') return text === '' ? null : centsOf(text)
  if (key === 'tags') return text.split(/[,;]/).flatMap((tag) => tag.trim() || [])
  return text
}

/** Fractions of a cent are no amount: NaN, which the contract has a sentence for. */
function centsOf(digits: string): number {
  return /^\d+(\.\d{1,2})?$/.test(digits) ? Math.round(Number(digits) * 100) : Number.NaN
}

/** What a person wrote, over a vehicle that somebody else changed meanwhile: their cells stay, all others are the present ones. */
export function overPresent(row: GridRow, before: Vehicle, present: Vehicle): GridRow {
  const mine = changedKeys(row, before)
  const cells = { ...cellsOf(present), ...Object.fromEntries(mine.map((key) => [key, row.cells[key] ?? ''])) }
  return { ...row, cells }
}
