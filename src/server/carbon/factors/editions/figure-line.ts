import type { EDITION_FORMS } from '#contract/carbon/factors/factor-editions.ts'
import type { Boundary } from '#contract/carbon/factors/factor-schema.ts'
import type { CalorificBasis } from '#contract/carbon/factors/unit-table.ts'

/** One gas of a factor, as a line of a file says it; several lines may be one factor. */
export type FigureLine = {
  /** Where it stands in the file. */
  line: number
  scopes: readonly string[]
  use: 'inventory' | 'avoided'
  category: string
  name: string
  /** The path in the library, where the file names one. */
  activity: string | null
  /** Null: the edition's. */
  region: string | null
  unit: string
  calorificBasis: CalorificBasis | null
  boundary: Boundary
  gas: string
  isBiogenic: boolean
  basis: 'gas' | 'co2e'
  /** For one unit, as it is written. */
  kg: string
  year: number | null
  validFrom: string | null
  validTo: string | null
  table: string | null
  rows: string | null
  note: string | null
}

export type RefusedLine = { line: number; name: string; sentence: string }

/** What the file says of itself. */
export type SaidDetails = {
  publisher: string
  title: string
  edition: string
  year: number | null
  region: string
  gwpSet: 'AR4' | 'AR5' | 'AR6' | null
  licence: string
}

/** A file as it was understood. */
export type ReadForm = {
  form: (typeof EDITION_FORMS)[number]
  lines: readonly FigureLine[]
  refused: readonly RefusedLine[]
  details: SaidDetails
}

/** A line by the names of its columns, in small letters. */
export type Cells = { line: number; get: (...names: string[]) => string }
