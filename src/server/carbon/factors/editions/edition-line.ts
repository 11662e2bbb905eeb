import type { EDITION_FORMS } from '#contract/carbon/factors/factor-editions.ts'
import type { Boundary } from '#contract/carbon/factors/factor-schema.ts'
import type { CalorificBasis } from '#contract/carbon/factors/unit-table.ts'

/** One gas of a factor from a line of a file. Several lines may be one factor. */
export type EditionLine = {
  /** The line number in the file. */
  line: number
  scopes: readonly string[]
  use: 'inventory' | 'avoided'
  category: string
  name: string
  /** The activity path, if the file has one. */
  activity: string | null
  /** Null: the region of the edition. */
  region: string | null
  unit: string
  calorificBasis: CalorificBasis | null
  boundary: Boundary
  gas: string
  isBiogenic: boolean
  basis: 'gas' | 'co2e'
  /** Per unit, as written in the file. */
  kg: string
  year: number | null
  validFrom: string | null
  validTo: string | null
  table: string | null
  rows: string | null
  note: string | null
}

export type RefusedLine = { line: number; name: string; sentence: string }

/** The edition's details in the file. */
export type FileDetails = {
  publisher: string
  title: string
  edition: string
  year: number | null
  region: string
  gwpSet: 'AR4' | 'AR5' | 'AR6' | null
  license: string
}

/** A file in a known format. */
export type ReadForm = {
  form: (typeof EDITION_FORMS)[number]
  lines: readonly EditionLine[]
  refused: readonly RefusedLine[]
  details: FileDetails
}

/** A line by column titles, in lowercase. */
export type Cells = { line: number; get: (...names: string[]) => string }
