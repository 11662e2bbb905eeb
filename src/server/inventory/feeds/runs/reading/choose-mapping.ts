import type { Readable } from 'node:stream'
import { ANY_SHAPE, type FeedShape } from '#contract/inventory/feeds/formats/feed-shape.ts'
import type { FeedRow } from '#contract/inventory/feeds/mappings/source-row.ts'
import { AUTO_MAPPING } from '#contract/inventory/feeds/runs/feed-runs.ts'
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
  /** How many of the file's columns it uses. */
  columns: { known: number; total: number }
}

export type OpenFile = () => Promise<Readable>

/** The share of a mapping's columns that a file must have to match it. */
const MIN_FIT = 0.8
/** The same for one of the two files of a joining mapping. */
const MIN_FIT_OF_HALF = 0.4
const FIRST_ROWS = 200

/**
 * Chooses the mapping for a file: the requested one, else the saved one whose columns match, else one proposed from the first
 * rows. @throws FeedRefusal if the file can't be opened or nothing in it identifies vehicles.
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
        ? fit >= MIN_FIT && identifiesVehicles(one.mapping, columns)
        : fit >= MIN_FIT_OF_HALF && isOneOfTwo(one.mapping, columns),
    )
    .toSorted(
      (one, other) =>
        // Mappings of a single file come first.
        Number(one.one.mapping.second !== null) - Number(other.one.mapping.second !== null) ||
        other.fit - one.fit ||
        usedBy(other.one.mapping, columns).size - usedBy(one.one.mapping, columns).size,
    )
  const found = named ?? fitting[0]?.one
  if (found !== undefined) {
    if (!identifiesVehicles(found.mapping, columns) && !isOneOfTwo(found.mapping, columns)) {
      throw new FeedRefusal(`The file doesn't have the VIN or stock number columns that ${found.name} uses.`)
    }
    return {
      ...found,
      columns: { known: usedBy(found.mapping, columns).size, total: columns.length },
    }
  }
  const { mapping, preset, unused } = proposeMapping({ ...first, columns, own }, today)
  if (!identifiesVehicles(mapping, columns)) {
    throw new FeedRefusal(
      "No column has VINs or stock numbers, so vehicles can't be identified. Choose a provider mapping, or check the separator of the file.",
    )
  }
  return {
    id: null,
    version: null,
    name: preset?.title ?? AUTO_MAPPING,
    mapping,
    columns: { known: columns.length - unused.length, total: columns.length },
  }
}

/** The format, columns and first rows of a file. */
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
      // Reported again when the whole file is read.
      if (!(error instanceof FeedRefusal) || rows.length === 0) throw error
    }
    return { format, columns, rows }
  } finally {
    bytes.destroy()
  }
}

/** The share of the columns a mapping names that are in the file. */
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

function identifiesVehicles({ fields }: FeedMapping, columns: readonly string[]): boolean {
  return [fields.vin, fields.stock].some((mapping) => {
    if (mapping === undefined) return false
    return mapping.source.kind === 'rule' || columnsOf(mapping).some((column) => columns.includes(column))
  })
}

/** Whether a file is one of the two that a mapping joins, so that its run waits for the other. */
function isOneOfTwo({ second }: FeedMapping, columns: readonly string[]): boolean {
  return second !== null && (columns.includes(second.column) || columns.includes(second.secondColumn))
}
