import {
  type CustomField,
  type CustomFieldName,
  customFieldName,
  type CustomValue,
  readCustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { VehicleCells } from '#contract/inventory/vehicles/vehicle-input.ts'
import type { Vehicle } from '#contract/inventory/vehicles/vehicles.ts'
import { type GridRow, gridRow } from '#web/ui/grid/grid-column.ts'
import { readTyped, typeCustom } from '../custom-fields/custom-labels.ts'

/** The columns that can be written in, by the names their values have in the contract. */
const KEYS = ['stock', 'status', 'statusReason', 'lotId', 'priceCents', 'tags'] as const
type Key = (typeof KEYS)[number]

/** The customer's own fields, which rows keep behind the others, whether their columns are shown or not. */
type Own = readonly CustomField[]

export const isKey = (name: string, own: Own): boolean =>
  KEYS.some((key) => key === name) || own.some((field) => customFieldName(field) === name)

/**
 * What the cells of a vehicle keep: an amount as plain digits in units of currency, tags with commas between, yes and no as
 * these words.
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

/** A row as it stands in the database. */
export const rowOf = (vehicle: Vehicle, own: Own): GridRow => gridRow(vehicle.id, cellsOf(vehicle, own))

function digitsOf(cents: number): string {
  return (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)
}

/** The cells of a row that differ from the vehicle, by their names. */
export function changedKeys({ cells, refused }: GridRow, vehicle: Vehicle, own: Own): string[] {
  const before = cellsOf(vehicle, own)
  return Object.keys(before).filter((key) => refused[key] !== undefined || (cells[key] ?? '') !== before[key])
}

/** What is sent of a row, or a sentence for each cell that cannot be. Only what differs goes; the version with it. */
export function readRow(
  row: GridRow,
  vehicle: Vehicle,
  own: Own,
): { input: VehicleCells } | { wrong: Readonly<Record<string, string>> } {
  const keys = changedKeys(row, vehicle, own)
  const plain = KEYS.filter((key) => keys.includes(key))
  const sent = Object.fromEntries(plain.map((key) => [key, valueOf(key, row.cells[key] ?? '')]))
  const { custom, flaws } = readOwn(
    row,
    own.filter((field) => keys.includes(customFieldName(field))),
  )
  const read = VehicleCells.safeParse({
    ...sent,
    ...(Object.keys(custom).length > 0 && { custom }),
    id: vehicle.id,
    version: vehicle.version,
  })
  const told = read.success ? {} : byCell(fieldSentences(read.error))
  const wrong: Record<string, string> = { ...told, ...flaws, ...row.refused }
  const needsReason = keys.includes('status') && row.cells['status'] === 'hold'
  if (needsReason && (row.cells['statusReason'] ?? '') === '') wrong['statusReason'] = 'Reason is required.'
  if (!read.success || Object.keys(wrong).length > 0) return { wrong }
  return { input: read.data }
}

/** What cells of the customer's own fields say, and a sentence for each that its field does not take. */
function readOwn({ cells }: GridRow, changed: Own) {
  const custom: Record<CustomFieldName, CustomValue | null> = {}
  const flaws: Record<string, string> = {}
  for (const field of changed) {
    const name = customFieldName(field)
    const read = readCustomValue(field, readTyped(field, cells[name] ?? ''))
    if (typeof read === 'string') flaws[name] = read
    else custom[name] = read.value
  }
  return { custom, flaws }
}

/** `tags.2` is told at the cell of the tags, `custom.custom_stage` at that of the field. */
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

/** Fractions of a cent are no amount: NaN, which the contract has a sentence for. */
function centsOf(digits: string): number {
  return /^\d+(\.\d{1,2})?$/.test(digits) ? Math.round(Number(digits) * 100) : Number.NaN
}

/** What a person wrote, over a vehicle that somebody else changed meanwhile: their cells stay, all others are the present ones. */
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
