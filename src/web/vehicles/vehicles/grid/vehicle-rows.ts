import {
  type CustomField,
  type CustomFieldName,
  customFieldName,
  type CustomValue,
  readCustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { VehicleCells } from '#contract/vehicles/vehicles/vehicle-input.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { type GridRow, gridRow } from '#web/ui/grid/grid-column.ts'
import { readTyped, typeCustom } from '../custom-fields/custom-labels.ts'

/** The editable columns, by their names in the contract. */
const KEYS = ['stock', 'status', 'statusReason', 'lotId', 'priceCents', 'tags'] as const
type Key = (typeof KEYS)[number]

/** The custom fields. Rows always have cells for them, even if their columns are hidden. */
type Own = readonly CustomField[]

export const isKey = (name: string, own: Own): boolean =>
  KEYS.some((key) => key === name) || own.some((field) => customFieldName(field) === name)

/**
 * The cell texts of a vehicle: amounts as plain digits in currency units, tags separated by commas, flags as "yes" and
 * "no".
 */
function cellsOf(vehicle: Vehicle, own: Own): Readonly<Record<string, string>> {
  const { stock, status, statusReason, lotId, priceCents, tags, custom } = vehicle
  return {
    stock: stock ?? '',
    status,
    statusReason: statusReason ?? '',
    lotId,
    priceCents: priceCents === null ? '' : digitsOf(priceCents),
    tags: tags.join(', '),
    ...Object.fromEntries(
      own.map((field) => [customFieldName(field), typeCustom(custom[customFieldName(field)])]),
    ),
  }
}

/** A row with the saved values of a vehicle. */
export const rowOf = (vehicle: Vehicle, own: Own): GridRow => gridRow(vehicle.id, cellsOf(vehicle, own))

function digitsOf(cents: number): string {
  return (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)
}

/** The names of the cells that differ from the vehicle. */
export function changedKeys({ cells, refused }: GridRow, vehicle: Vehicle, own: Own): string[] {
  const before = cellsOf(vehicle, own)
  return Object.keys(before).filter((key) => refused[key] !== undefined || (cells[key] ?? '') !== before[key])
}

/** The API input for the changed cells of a row, with the version, or the errors by cell. */
export function readRow(
  row: GridRow,
  vehicle: Vehicle,
  own: Own,
): { input: VehicleCells } | { wrong: Readonly<Record<string, string>> } {
  const keys = changedKeys(row, vehicle, own)
  const plain = KEYS.filter((key) => keys.includes(key))
  const sent = Object.fromEntries(plain.map((key) => [key, valueOf(key, row.cells[key] ?? '')]))
  const { custom, errors: customErrors } = readCustomCells(
    row,
    own.filter((field) => keys.includes(customFieldName(field))),
  )
  const read = VehicleCells.safeParse({
    ...sent,
    ...(Object.keys(custom).length > 0 && { custom }),
    id: vehicle.id,
    version: vehicle.version,
  })
  const errors = read.success ? {} : byCell(fieldSentences(read.error))
  const wrong: Record<string, string> = { ...errors, ...customErrors, ...row.refused }
  const needsReason = keys.includes('status') && row.cells['status'] === 'hold'
  if (needsReason && (row.cells['statusReason'] ?? '') === '') wrong['statusReason'] = 'Reason is required.'
  if (!read.success || Object.keys(wrong).length > 0) return { wrong }
  return { input: read.data }
}

/** The values of changed custom field cells, and the errors by cell. */
function readCustomCells({ cells }: GridRow, changed: Own) {
  const custom: Record<CustomFieldName, CustomValue | null> = {}
  const errors: Record<string, string> = {}
  for (const field of changed) {
    const name = customFieldName(field)
    const read = readCustomValue(field, readTyped(field, cells[name] ?? ''))
    if (typeof read === 'string') errors[name] = read
    else custom[name] = read.value
  }
  return { custom, errors }
}

/** Assigns errors to cells: `tags.2` to the tags, `custom.custom_stage` to the custom field. */
export function byCell(sentences: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sentences).map(([path, sentence]) => {
      const [first = '', second = ''] = path.split('.')
      return [first === 'custom' ? second : first, sentence]
    }),
  )
}

function valueOf(key: Key, text: string): unknown {
  if (key === 'priceCents') return text === '' ? null : centsOf(text)
  if (key === 'tags') return text.split(/[,;]/).flatMap((tag) => tag.trim() || [])
  return text
}

/** NaN for fractions of a cent, so that the contract reports the error. */
function centsOf(digits: string): number {
  return /^\d+(\.\d{1,2})?$/.test(digits) ? Math.round(Number(digits) * 100) : Number.NaN
}

/** Applies the user's edits on top of another user's version; all other cells get the current values. */
export function overPresent(
  row: GridRow,
  { before, present, own }: { before: Vehicle; present: Vehicle; own: Own },
): GridRow {
  const mine = changedKeys(row, before, own)
  const cells = {
    ...cellsOf(present, own),
    ...Object.fromEntries(mine.map((key) => [key, row.cells[key] ?? ''])),
  }
  return { ...row, cells }
}
