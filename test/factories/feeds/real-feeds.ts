import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ANY_SHAPE } from '#contract/feeds/mappings/feed-shape.ts'
import { canonicalValue } from '#contract/vehicles/vin/canonical.ts'
import type { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import { type FeedRow, textOf } from '#contract/feeds/mappings/source-row.ts'
import { prepareMapping } from '#contract/feeds/mappings/map-row.ts'
import { proposeMapping } from '#contract/feeds/mappings/presets.ts'
import { openFeed } from '#server/formats/open-feed.ts'
import { findReferenceFile } from '#test/harness/reference-data.ts'

/** The folder of real provider feeds, which are not part of the repository. Null if this machine has none. */
export const REAL_FEEDS = findReferenceFile('feeds')

export type FeedFigures = {
  file: string
  rows: number
  /** Rows that are imported or that the feed itself leaves out. */
  accepted: number
  /** How often each rejection reason occurs. */
  refused: Map<string, number>
  warnings: number
  preset: string | null
  columns: number
  unused: string[]
}

/** The file names of the feeds in a folder. */
export function feedsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /\.(csv|tsv|txt|xml|json|jsonl)$/.test(name))
}

/** Reads one feed and maps it with the mapping proposed from its first rows. */
export async function figuresOf(folder: string, file: string): Promise<FeedFigures> {
  const feed = await openFeed(createReadStream(join(folder, file)), ANY_SHAPE)
  const rows: FeedRow[] = []
  for await (const row of feed.rows) rows.push(row)
  const today = '2026-11-21'
  const proposal = proposeMapping({ ...feed, rows: rows.slice(0, 200) }, today)
  const map = prepareMapping(proposal.mapping, { unit: 'mi', today, columns: feed.columns })
  const refused = new Map<string, number>()
  let accepted = 0
  let warnings = 0
  for (const row of rows) {
    const mapped = map(row)
    warnings += mapped.warnings.length
    if (mapped.refusals.length === 0) accepted += 1
    for (const reason of mapped.refusals) refused.set(reason, (refused.get(reason) ?? 0) + 1)
  }
  const { preset, unused } = proposal
  return {
    file,
    rows: rows.length,
    accepted,
    refused,
    warnings,
    preset: preset?.title ?? null,
    columns: feed.columns.length,
    unused,
  }
}

export type RealFeed = {
  format: string
  columns: string[]
  rows: FeedRow[]
  /** The column of each field that vehicles are checked by, found independently of the product. */
  truth: Partial<Record<CheckedField, string>>
}

/** The headers of the checked fields, as a person would read them. */
const HEADERS = {
  vin: /^vin$/i,
  stock: /^stock[ _]?(number|no|#)?$/i,
  year: /^year$/i,
  make: /^make$/i,
  model: /^model$/i,
  price: /^(dealer )?price$/i,
  condition: /^(stock[ _]type|state_of_vehicle|condition)$/i,
  mileage: /^(kilometres|mileage\.value|mileage)$/i,
} as const
type CheckedField = keyof typeof HEADERS

/** All rows of a feed. */
export async function readRealFeed(folder: string, file: string): Promise<RealFeed> {
  const feed = await openFeed(createReadStream(join(folder, file)), ANY_SHAPE)
  const rows: FeedRow[] = []
  for await (const row of feed.rows) rows.push(row)
  const named = Object.entries(HEADERS).flatMap(([field, header]) => {
    const column = feed.columns.find((name) => header.test(name.trim()))
    return column === undefined ? [] : [[field, column] as const]
  })
  const truth: RealFeed['truth'] = Object.fromEntries(named)
  // Without a make, the column Model has trims, and the model follows from the VIN.
  if (truth.make === undefined) delete truth.model
  return { format: feed.format, columns: feed.columns, rows, truth }
}

/** The same feed with column names that mean nothing. */
export function withoutNames({ columns, rows, truth, ...feed }: RealFeed): RealFeed {
  const names = new Map(columns.map((name, at) => [name, `c${at}x`]))
  const nameOf = (column: string): string => names.get(column) ?? column
  return {
    ...feed,
    columns: columns.map(nameOf),
    rows: rows.map((row) => ({
      ...row,
      cells: Object.fromEntries(Object.entries(row.cells).map(([name, cell]) => [nameOf(name), cell])),
    })),
    truth: Object.fromEntries(Object.entries(truth).map(([field, column]) => [field, nameOf(column)])),
  }
}

/** The share of the rows whose checked fields are what their columns say. */
export function shareCorrect({ rows, columns, truth }: RealFeed, mapping: FeedMapping): number {
  const map = prepareMapping(mapping, { unit: 'km', today: '2026-11-21', columns })
  const correct = rows.filter((row) => {
    const { values, refusals } = map(row)
    if (refusals.length > 0) return false
    if (mapping.skipRule !== null && map(row).leftOut !== null) return true
    return Object.entries(truth).every(([field, column]) => {
      const expected = expectedValue(field, textOf(row, column))
      return expected === null || expected === Object.entries(values).find(([name]) => name === field)?.[1]
    })
  })
  return correct.length / rows.length
}

/** What a text means, read independently of the mapping; null if it means nothing or can't be compared. */
function expectedValue(field: string, text: string): string | number | null {
  const words = text.replace(/\s+/g, ' ').trim()
  if (words === '' || /^(other|none)$/i.test(words)) return null
  switch (field) {
    case 'vin':
      return /^[A-Z0-9]{17}$/i.test(words) ? words.toUpperCase() : null
    case 'year':
      return Number(words)
    case 'price':
    case 'mileage': {
      const digits = /^\$?\s*([\d,]+)(\.\d+)?( (CAD|USD))?$/.exec(words)?.[1]?.replaceAll(',', '')
      if (digits === undefined || Number(digits) === 0) return null
      return field === 'price' ? Number(digits) * 100 : Number(digits)
    }
    case 'make':
    case 'condition':
      return canonicalValue(field, words)
    default:
      return words
  }
}

/** The rows in another order, the same for each seed. */
export function shuffled<T>(rows: readonly T[], seed: number): T[] {
  const mixed = [...rows]
  let state = seed
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (at + 1)
    const [one, two] = [mixed[at], mixed[other]]
    if (one !== undefined && two !== undefined) [mixed[at], mixed[other]] = [two, one]
  }
  return mixed
}
