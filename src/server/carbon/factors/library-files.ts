import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseCsv } from 'hucre/csv'
import { FactorGas, GWP_SETS } from '#contract/carbon/factors/resolve.ts'
import { CALORIFIC_BASES } from '#contract/carbon/factors/unit-table.ts'
import { z } from 'zod'

const FOLDER = join(import.meta.dirname, '../../../../data/carbon')

/** A file of the library: its rows by column name, and a hash of its text. */
export type LibraryFile = { mark: string; rows: Record<string, string>[] }

/** Reads one file of data/carbon. */
export async function readLibraryFile(name: string): Promise<LibraryFile> {
  const text = await readFile(join(FOLDER, name), 'utf8')
  return { mark: markOf(text), rows: readRows(text) }
}

/** A short hash to detect a changed text. */
export const markOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** CSV with a header row: every cell as text, trimmed. */
export function readRows(text: string): Record<string, string>[] {
  const [head = [], ...rows] = parseCsv(text, { typeInference: false, skipEmptyRows: true })
  const names = head.map((cell) => String(cell ?? '').trim())
  return rows.map((cells) =>
    Object.fromEntries(names.map((name, at) => [name, String(cells[at] ?? '').trim()])),
  )
}

const empty = z.literal('').transform(() => null)
const figure = z.string().regex(/^\d+(\.\d+)?$/)
const optionalFigure = z.union([empty, figure])
const optional = z.union([empty, z.string()])

export const UnitLine = z.strictObject({
  code: z.string().min(1),
  name: z.string().min(1),
  dimension: z.string().min(1),
  base: z.string().min(1),
  to_base: figure,
  definition: optional,
})
export const AliasLine = z.strictObject({
  alias: z.string().min(1),
  unit: z.string().min(1),
  calorific_basis: z.union([empty, z.enum(CALORIFIC_BASES)]),
})
export const FuelLine = z.strictObject({
  fuel: z.string().min(1),
  name: z.string().min(1),
  year: z.coerce.number().int(),
  net_gj_per_tonne: figure,
  gross_gj_per_tonne: figure,
  kg_per_m3: optionalFigure,
  dataset: z.string().min(1),
  table: z.string().min(1),
  rows: z.string().min(1),
})
export const GwpLine = z.strictObject({
  gas: z.string().min(1),
  gwp_set: z.enum(GWP_SETS),
  gwp: figure,
  is_kyoto: z.enum(['yes', 'no']).transform((word) => word === 'yes'),
  source: z.string().min(1),
  other_gwp: optionalFigure,
  other_source: optional,
  note: optional,
})
export const BlendLine = z.strictObject({
  blend: z.string().min(1),
  component: z.string().min(1),
  mass_percent: figure,
  printed_ar5: optionalFigure,
  table: z.string().min(1),
  rows: z.string().min(1),
})
export const DatasetLine = z.strictObject({
  key: z.string().min(1),
  file: z.string().min(1),
  publisher: z.string().min(1),
  title: z.string().min(1),
  edition: z.string().min(1),
  year: z.coerce.number().int(),
  region: z.string().min(1),
  gwp_set: z.union([empty, z.enum(GWP_SETS)]),
  license: z.string().min(1),
  attribution: z.string().min(1),
  url: optional,
})
export type DatasetLine = z.output<typeof DatasetLine>

/** "CO2 53.06 gas; CH4 0.001 gas", "CO2 biogenic 93.8 gas", "CO2e 0.20705 co2e; CO2 0.20493 co2e". */
export const GasList = z.string().transform((text, context): FactorGas[] => {
  const gases = text.split(';').map((part) => {
    const words = part.trim().split(' ')
    const isBiogenic = words.at(-3) === 'biogenic'
    const gas = words.slice(0, isBiogenic ? -3 : -2).join(' ')
    return { gas, isBiogenic, kg: words.at(-2), basis: words.at(-1) }
  })
  const read = z.array(FactorGas.extend({ gas: z.string().min(1), kg: figure })).safeParse(gases)
  if (read.success) return read.data
  context.addIssue({ code: 'custom', message: `Invalid gases: ${text}` })
  return z.NEVER
})

export const FactorLine = z.strictObject({
  key: z.string().min(1),
  scope: z.string().transform((text) => text.split(' ')),
  category: z.string().min(1),
  activity: z.string().min(1),
  name: z.string().min(1),
  region: z.string().min(1),
  unit: z.string().min(1),
  calorific_basis: z.union([empty, z.enum(CALORIFIC_BASES)]),
  boundary: z.string().min(1),
  use: z.enum(['inventory', 'avoided']),
  valid_from: z.string().date(),
  valid_to: z.union([empty, z.string().date()]),
  gases: GasList,
  table: z.string().min(1),
  rows: z.string().min(1),
  note: optional,
  /** Only if it differs from the dataset's. */
  gwp_set: z
    .enum(GWP_SETS)
    .or(z.literal('').transform(() => undefined))
    .optional(),
})
export type FactorLine = z.output<typeof FactorLine>
