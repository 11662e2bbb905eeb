import type { Readable } from 'node:stream'
import { ANY_SHAPE, type FeedShape } from '#contract/inventory/feeds/formats/feed-shape.ts'
import type { FeedRow } from '#contract/inventory/feeds/mappings/source-row.ts'
import { columnsOf, type FeedMapping } from '#contract/inventory/feeds/mappings/mapping.ts'
import { proposeMapping } from '#contract/inventory/feeds/mappings/presets.ts'
import { namedIn, ruleColumns } from '#contract/inventory/feeds/mappings/rule-columns.ts'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { FeedRefusal } from '#server/inventory/feeds/formats/feed-refusal.ts'
import { openFeed } from '#server/inventory/feeds/formats/open-feed.ts'

export type SavedMapping = { id: string; version: number; name: string; mapping: FeedMapping }

export type MappingChoice = {
  id: string | null
  version: number | null
  name: string
  mapping: FeedMapping
  /** How many columns of the file it uses. */
  columns: { known: number; total: number }
}

export type OpenFile = () => Promise<Readable>

/** A mapping fits a file that has so much of what it names. */
const FITS = 0.8
/** Of a mapping of two files the first alone has so much. */
const FITS_HALF = 0.4
const FIRST_ROWS = 200

/**
 * The mapping that reads a file: the one that was named, else the saved one whose columns are there, else what the first
 * rows propose. @throws FeedRefusal when the file cannot be opened, or nothing in it tells vehicles apart.
 */
export async function chooseMapping(
  open: () => Promise<Readable>,
  {
    named,
    saved,
    today,
    own,
  }: {
    named: SavedMapping | null
    saved: readonly SavedMapping[]
    today: string
    own: readonly CustomField[]
  },
): Promise<MappingChoice> {
  const { columns, ...first } = await firstRows(await open(), named?.mapping.shape ?? ANY_SHAPE)
  const fitting = saved
    .map((one) => ({ one, fit: fitOf(one.mapping, columns) }))
    .filter(({ one, fit }) =>
      one.mapping.second === null
        ? fit >= FITS && distinguishes(one.mapping, columns)
        : fit >= FITS_HALF && isOneOfTwo(one.mapping, columns),
    )
    .toSorted(
      (one, other) =>
        // Whoever needs no second file goes first.
        Number(one.one.mapping.second !== null) - Number(other.one.mapping.second !== null) ||
        other.fit - one.fit ||
        usedBy(other.one.mapping, columns).size - usedBy(one.one.mapping, columns).size,
    )
  const found = named ?? fitting[0]?.one
  if (found !== undefined) {
    if (!distinguishes(found.mapping, columns) && !isOneOfTwo(found.mapping, columns)) {
      throw new FeedRefusal(
        `The file has none of the columns in which ${found.name} looks for VINs and stock numbers.`,
      )
    }
    return {
      ...found,
      columns: { known: usedBy(found.mapping, columns).size, total: columns.length },
    }
  }
  const { mapping, preset, unused } = proposeMapping({ ...first, columns, own }, today)
  if (!distinguishes(mapping, columns)) {
    throw new FeedRefusal(
      'No column has VINs or stock numbers, so no vehicle could be told from another. Choose a provider mapping, or look at the separator of the file.',
    )
  }
  return {
    id: null,
    version: null,
    name: preset?.title ?? 'Found by itself',
    mapping,
    columns: { known: columns.length - unused.length, total: columns.length },
  }
}

/** What a file is, told by its first rows. */
export async function firstRows(
  bytes: Readable,
  shape: FeedShape,
): Promise<{ format: string; columns: string[]; rows: FeedRow[] }> {
  const rows: FeedRow[] = []
  try {
    const { format, columns, rows: all } = await openFeed(bytes, shape)
    try {
      for await (const row of all) {
        rows.push(row)
        if (rows.length >= FIRST_ROWS) break
      }
    } catch (error) {
      // Said again, with all rows before it, when the file is read to its end.
      if (!(error instanceof FeedRefusal) || rows.length === 0) throw error
    }
    return { format, columns, rows }
  } finally {
    bytes.destroy()
  }
}

/** The share of the columns it names that the file has. */
export function fitOf({ fields }: FeedMapping, columns: readonly string[]): number {
  const named = new Set(
    Object.values(fields).flatMap((mapping) => (mapping === undefined ? [] : columnsOf(mapping))),
  )
  if (named.size === 0) return 0
  return [...named].filter((name) => columns.includes(name)).length / named.size
}

export function usedBy({ fields }: FeedMapping, columns: readonly string[]): Set<string> {
  const inRules = ruleColumns(columns)
  const names = Object.values(fields).flatMap((mapping) => {
    if (mapping === undefined) return []
    const { source } = mapping
    return source.kind === 'rule'
      ? namedIn(source.rule, inRules).map(({ column }) => column)
      : columnsOf(mapping)
  })
  return new Set(names.filter((name) => columns.includes(name)))
}

function distinguishes({ fields }: FeedMapping, columns: readonly string[]): boolean {
  return [fields.vin, fields.stock].some((mapping) => {
    if (mapping === undefined) return false
    return mapping.source.kind === 'rule' || columnsOf(mapping).some((column) => columns.includes(column))
  })
}

/** Whether a file is one of the two that a mapping joins, so that its run waits for the other. */
function isOneOfTwo({ second }: FeedMapping, columns: readonly string[]): boolean {
  return second !== null && (columns.includes(second.column) || columns.includes(second.secondColumn))
}
