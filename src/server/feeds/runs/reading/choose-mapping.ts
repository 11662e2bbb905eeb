import { feedColumns } from '#contract/channels/listings/listing-row.ts'
import {
  CHANNEL_KINDS,
  type ChannelKind,
  PRICE_MEANING_CODES,
} from '#contract/pricing/totals/price-meanings.ts'
import { withCustomFields } from '#contract/feeds/mappings/match-custom.ts'
import type { Readable } from 'node:stream'
import { ANY_SHAPE, type FeedShape } from '#contract/feeds/mappings/feed-shape.ts'
import { type FeedRow, textsOf } from '#contract/feeds/mappings/source-row.ts'
import { AUTO_MAPPING } from '#contract/feeds/runs/feed-runs.ts'
import { columnsOf, type FeedMapping, targetTitle } from '#contract/feeds/mappings/mapping.ts'
import { proposeMapping } from '#contract/feeds/mappings/presets.ts'
import { namedIn, ruleColumns } from '#contract/feeds/mappings/rule-columns.ts'
import { rowSampler } from '#contract/feeds/mappings/sample-rows.ts'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { type OpenFeed, openFeed } from '#server/formats/open-feed.ts'
import { contradictedColumn, isPositional, mapsByPosition } from './positional.ts'
import { keepKnown, layoutChanges, type RememberedLayout } from './remembered-layout.ts'

export type SavedMapping = { id: string; version: number; name: string; mapping: FeedMapping }

export type MappingChoice = {
  id: string | null
  version: number | null
  name: string
  mapping: FeedMapping
  /** How many of the file's columns it uses. */
  columns: { known: number; total: number }
  format: FeedFormat
  /** The columns of the file. */
  names: readonly string[]
  /** How the file looks different from the last applied one of its source. */
  changes: readonly string[]
}

type FeedFormat = OpenFeed['format']

export type OpenFile = () => Promise<Readable>

/** The share of a mapping's columns that a file must have to match it. */
const MIN_FIT = 0.8
/** The same for one of the two files of a joining mapping. */
const MIN_FIT_OF_HALF = 0.4
/** How much of a file a proposal is based on. The rest of a larger file is like its beginning. */
const MAX_SAMPLED_ROWS = 50_000
const MAX_SAMPLED_TEXT = 64_000_000

export type Choosing = {
  named: SavedMapping | null
  saved: readonly SavedMapping[]
  /** How the last applied file of the same source, or with the same columns, was read. */
  remembered: (columns: readonly string[]) => Promise<RememberedLayout | null>
  today: string
  own: readonly CustomField[]
  /** The names of the customer's lots, in lower case. */
  lotNames: ReadonlySet<string>
}

/**
 * Chooses the mapping for a file: the requested one, else the saved one of the last applied file of its source, else a saved one
 * whose columns match, else that of the last applied file, else one proposed from rows of the whole file.
 * @throws FeedRefusal if the file can't be opened or nothing in it identifies vehicles.
 */
export async function chooseMapping(
  open: () => Promise<Readable>,
  { named, saved, remembered, today, own, lotNames }: Choosing,
): Promise<MappingChoice> {
  const { format, columns } = await columnsOfFile(await open(), named?.mapping.shape ?? ANY_SHAPE)
  const refusal = ownChannelFile(columns)
  if (refusal !== null) throw new FeedRefusal(refusal)
  const last = named === null ? await remembered(columns) : null
  const used = saved.find(({ id }) => id === last?.mappingId)
  const changes =
    last === null
      ? []
      : [
          ...layoutChanges(last, { format, columns }),
          ...(isPositional(columns)
            ? await movedColumns(open, used?.mapping ?? last.mapping, { own, today })
            : []),
        ]
  const isUsable = used !== undefined && changes.length === 0
  const found = named ?? (isUsable ? used : fittingMapping(saved, columns))
  const file = { format, names: columns, changes }
  if (found !== null) {
    if (!identifiesVehicles(found.mapping, columns) && !isOneOfTwo(found.mapping, columns)) {
      throw new FeedRefusal(`The file doesn't have the VIN or stock number columns that ${found.name} uses.`)
    }
    return {
      ...found,
      ...file,
      columns: { known: usedBy(found.mapping, columns).size, total: columns.length },
    }
  }
  if (last?.mapping != null && changes.length === 0 && identifiesVehicles(last.mapping, columns)) {
    const mapping = withoutGuessedMake(withCustomFields(last.mapping, columns, own))
    const known = usedBy(mapping, columns).size
    const { name } = last
    return { id: null, version: null, name, mapping, ...file, columns: { known, total: columns.length } }
  }
  const rows = await sampledRows(await open())
  const { mapping: matched, preset } = proposeMapping({ format, rows, columns, own }, today)
  const proposed = withoutGuessedMake(withLotColumn(matched, { columns, rows, lotNames }))
  // Columns without names may have moved.
  const mapping =
    last?.mapping == null || isPositional(columns) ? proposed : keepKnown(last.mapping, proposed, columns)
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
    ...file,
    columns: { known: usedBy(mapping, columns).size, total: columns.length },
  }
}

/**
 * Without one make for all rows, which is taken from VINs: no one has seen it, and each VIN says its own. A saved mapping keeps it,
 * because a person chose it.
 */
function withoutGuessedMake({ fields: { make, ...fields }, ...mapping }: FeedMapping): FeedMapping {
  return {
    ...mapping,
    fields: make === undefined || make.source.kind === 'constant' ? fields : { make, ...fields },
  }
}

/** Reads the lot of each row from a column that has only names of the customer's lots, whatever it is called. */
function withLotColumn(
  mapping: FeedMapping,
  {
    columns,
    rows,
    lotNames,
  }: { columns: readonly string[]; rows: readonly FeedRow[]; lotNames: ReadonlySet<string> },
): FeedMapping {
  if (mapping.fields.dealer !== undefined) return mapping
  const column = columns.find((name) => {
    const values = rows.flatMap((row) => textsOf(row, name)).filter((text) => text.trim() !== '')
    return values.length > 0 && values.every((text) => lotNames.has(text.trim().toLowerCase()))
  })
  if (column === undefined) return mapping
  return { ...mapping, fields: { ...mapping.fields, dealer: { source: { kind: 'column', column } } } }
}

/** How a file without a header differs from what its source sent before: values in other columns. */
async function movedColumns(
  open: OpenFile,
  mapping: FeedMapping | null,
  { own, today }: Pick<Choosing, 'own' | 'today'>,
): Promise<string[]> {
  const moved = mapping === null ? null : contradictedColumn(mapping, await sampledRows(await open()), today)
  if (moved === null) return []
  const title = targetTitle(moved.target, own)
  return [`The layout of the file changed: ${moved.column} isn't ${title} anymore.`]
}

/** The saved mapping that fits the columns of a file best; null if none does. One by position belongs to its own source. */
function fittingMapping(saved: readonly SavedMapping[], columns: readonly string[]): SavedMapping | null {
  const [best] = saved
    .filter(({ mapping }) => !mapsByPosition(mapping))
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
  return best?.one ?? null
}

/** The format and columns of a file. */
export async function columnsOfFile(
  bytes: Readable,
  shape: FeedShape,
): Promise<{ format: FeedFormat; columns: string[] }> {
  try {
    const { format, columns, rows } = await openFeed(bytes, shape)
    // A CSV file has a header, but not necessarily a row that can be read.
    const { done } = await rows.next()
    if (done === true && columns.length === 0) throw new FeedRefusal('The file has no rows.')
    return { format, columns }
  } finally {
    bytes.destroy()
  }
}

/** Rows from the whole file, the same ones in whatever order it lists them. */
export async function sampledRows(bytes: Readable, shape: FeedShape = ANY_SHAPE): Promise<FeedRow[]> {
  const sampler = rowSampler()
  let [count, size] = [0, 0]
  try {
    const { rows } = await openFeed(bytes, shape)
    for await (const row of rows) {
      sampler.add(row)
      count += 1
      size += row.raw.length
      if (count >= MAX_SAMPLED_ROWS || size >= MAX_SAMPLED_TEXT) break
    }
  } catch (error) {
    // Reported again when the whole file is read.
    if (!(error instanceof FeedRefusal) || count === 0) throw error
  } finally {
    bytes.destroy()
  }
  return sampler.rows()
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

/** How many columns that aren't read are named. */
const MAX_UNUSED = 100

/** The columns of a file that a mapping doesn't read. */
export function unusedColumns(mapping: FeedMapping, columns: readonly string[]): string[] {
  const used = usedBy(mapping, columns)
  const { skipRule } = mapping
  if (skipRule !== null)
    for (const { column } of namedIn(skipRule.rule, ruleColumns(columns))) used.add(column)
  return columns.filter((name) => !used.has(name)).slice(0, MAX_UNUSED)
}

function identifiesVehicles({ fields }: FeedMapping, columns: readonly string[]): boolean {
  return [fields.vin, fields.stock, fields.pageUrl].some((mapping) => {
    if (mapping === undefined) return false
    return mapping.source.kind === 'rule' || columnsOf(mapping).some((column) => columns.includes(column))
  })
}

/** Whether a file is one of the two that a mapping joins, so that its run waits for the other. */
function isOneOfTwo({ second }: FeedMapping, columns: readonly string[]): boolean {
  return second !== null && (columns.includes(second.column) || columns.includes(second.secondColumn))
}

const RECEIVERS: Readonly<Record<ChannelKind, string>> = {
  google: 'Google vehicle ads',
  'google-listings': 'Google vehicle listings',
  meta: 'Meta',
  csv: 'a channel',
}

/** `google_product_category` in CSV; `item.g:google_product_category` in XML. */
const plainName = (column: string): string =>
  column.replace(/^.*[.:/](?=[a-z_-]+(?:\(|$))/i, '').replace(/\(.*$/, '')

/** In an XML file of a channel, columns without any value are missing, and this one never is. */
const ALWAYS_OF_GOOGLE = ['google_product_category', 'store_code', 'certified_pre-owned']

/**
 * Why a file can't be read: the product made it for a channel, so its prices have fees and price rules in them. Null for other
 * files. The columns of such a file are always the same, in the same order.
 */
function ownChannelFile(columns: readonly string[]): string | null {
  const kind = CHANNEL_KINDS.find((one) => isFileOf(one, columns))
  if (kind === undefined) return null
  return `Forecourt made this file for ${RECEIVERS[kind]}: its prices have fees and price rules in them, so reading it back would change prices. Upload your provider's file, or export the vehicle list and upload that.`
}

function isFileOf(kind: ChannelKind, columns: readonly string[]): boolean {
  const text = columns.join('\n')
  if (PRICE_MEANING_CODES.some((meaning) => feedColumns(kind, meaning).join('\n') === text)) return true
  if (kind !== 'google') return false
  const known = new Set(feedColumns(kind).map(plainName))
  const names = columns.map(plainName)
  return (
    ALWAYS_OF_GOOGLE.every((name) => names.includes(name)) &&
    names.filter((name) => known.has(name)).length >= 15
  )
}
