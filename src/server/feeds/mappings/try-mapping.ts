import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FeedRow, textOf } from '#contract/feeds/mappings/source-row.ts'
import { ANY_SHAPE } from '#contract/feeds/mappings/feed-shape.ts'
import { mappingProblems, NO_NUMBER, prepareMapping } from '#contract/feeds/mappings/map-row.ts'
import { type FeedMapping, targetsWith } from '#contract/feeds/mappings/mapping.ts'
import { proposeMapping } from '#contract/feeds/mappings/presets.ts'
import { withDateForms } from '#contract/feeds/mappings/with-date-forms.ts'
import { sampleRows } from '#contract/feeds/mappings/sample-rows.ts'
import type { ReadOptions } from '#contract/feeds/mappings/read-vehicle-value.ts'
import { ruleColumns } from '#contract/feeds/mappings/rule-columns.ts'
import { sampleResult, type SampleResult, type TriedMapping } from '#contract/feeds/mappings/tried-mapping.ts'
import { MAX_SAMPLE_BYTES, MAX_SAMPLE_ROWS } from '#contract/feeds/mappings/provider-mappings.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { joinFeeds, memoryPartners } from '../runs/reading/join-feeds.ts'
import { type OpenFeed, openFeed } from '#server/formats/open-feed.ts'
import { feedText } from '../runs/feed-text.ts'

/** The first part of a file; `isWhole`: it is the entire file. */
export type Sample = { bytes: Buffer; isWhole: boolean }

/** How many rows are returned, and how many of them as results. */
const SHOWN_ROWS = 25
const RESULTS = 5
const PIECE_BYTES = 65_536

/**
 * Reads up to `MAX_SAMPLE_BYTES` of a file, after unpacking; the rest is not read.
 * @throws FeedRefusal if a compressed file contains no feed
 */
export async function takeSample(stream: AsyncIterable<Uint8Array>, customerId: string): Promise<Sample> {
  const parts: Uint8Array[] = []
  let size = 0
  const source = passThrough(stream)
  try {
    for await (const part of feedText(source, customerId)) {
      parts.push(part)
      size += part.length
      if (size > MAX_SAMPLE_BYTES)
        return { bytes: Buffer.concat(parts).subarray(0, MAX_SAMPLE_BYTES), isWhole: false }
    }
    return { bytes: Buffer.concat(parts), isWhole: true }
  } finally {
    await source.return(undefined)
  }
}

/** Returning early from this generator also closes the stream. */
async function* passThrough(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  yield* stream
}

/**
 * Reads a sample and maps it with the given mapping or, without one, with the proposed mapping.
 * @throws FeedRefusal if the sample can't be opened; a later error is part of the result.
 */
export async function tryMapping(
  [sample, second]: readonly [Sample, Sample | undefined],
  {
    mapping: given,
    preset,
    read,
  }: { mapping: FeedMapping | null; preset: string | undefined; read: ReadOptions },
): Promise<TriedMapping> {
  const own = read.own ?? []
  const feed = await openBoth(sample, second, given)
  const { rows, refusal, isWhole } = await readRows(feed, sample.isWhole)
  const proposal = proposeMapping({ ...feed, rows: sampleRows(rows), own: read.own }, read.today, preset)
  const dated = { columns: feed.columns, rows, own }
  const mapping = given ?? withDateForms(proposal.mapping, dated)
  const map = prepareMapping(withDateForms(mapping, dated), { ...read, columns: feed.columns })
  const results = refuseUnnumbered(rows.map((row) => sampleResult(row.line, map(row))))
  const leftOut = results.filter((one) => one.leftOut !== null).length
  const good = results.filter((one) => one.refusals.length === 0 && one.leftOut === null)
  const problems = mappingProblems(mapping, feed.columns, own)
  const targets = targetsWith(own)
  return {
    unit: read.unit,
    today: read.today,
    own: [...own],
    format: feed.format,
    encoding: feed.encoding,
    delimiter: feed.delimiter,
    hasHeader: feed.hasHeader,
    path: feed.path,
    columns: describeColumns(feed.columns, rows),
    rows: rows.slice(0, SHOWN_ROWS).map(shownRow),
    rowCount: rows.length,
    isWhole,
    refusal,
    preset: proposal.preset,
    matches: proposal.matches,
    mapping,
    unused: proposal.unused,
    results: pickExamples(results),
    accepted: good.length,
    leftOut,
    refused: countReasons(results),
    filled: targets.flatMap((target) => {
      if (mapping.fields[target] === undefined) return []
      const filled = good.filter(({ values, dealer, status }) => {
        if (target === 'dealer') return dealer !== null
        return target === 'status' ? status !== null : target in values
      })
      return [{ target, share: good.length === 0 ? 0 : filled.length / good.length }]
    }),
    problems: [...targets, 'skipRule' as const].flatMap((target) => {
      const sentence = problems[target]
      return sentence === undefined ? [] : [{ target, sentence }]
    }),
  }
}

/** In a file that numbers its vehicles, an import rejects rows that have neither a VIN nor a stock number. */
function refuseUnnumbered(results: readonly SampleResult[]): SampleResult[] {
  const isNumbered = ({ values }: SampleResult) => 'vin' in values || 'stock' in values
  if (!results.some(isNumbered)) return [...results]
  return results.map((one) => {
    const isLeft = isNumbered(one) || one.refusals.length > 0 || one.leftOut !== null
    return isLeft ? one : { ...one, refusals: [NO_NUMBER] }
  })
}

async function openBoth(
  sample: Sample,
  second: Sample | undefined,
  given: FeedMapping | null,
): Promise<OpenFeed> {
  const feed = await openFeed(bytesOf(sample), given?.shape ?? ANY_SHAPE)
  const join = given?.second ?? null
  if (second === undefined || join === null) return feed
  return joinFeeds(feed, await openFeed(bytesOf(second), join.shape), {
    ...join,
    partners: memoryPartners(),
  })
}

/** In small pieces, so that other requests are answered while the sample is read. */
async function* bytesOf({ bytes }: Sample): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES)
    // oxlint-disable-next-line no-await-in-loop
    await nextTurn()
  }
}

/** The first rows. If the sample is only part of the file, its end is not an error. */
async function readRows(
  feed: OpenFeed,
  isAll: boolean,
): Promise<{ rows: FeedRow[]; refusal: string | null; isWhole: boolean }> {
  const rows: FeedRow[] = []
  try {
    for await (const row of feed.rows) {
      rows.push(row)
      if (rows.length > MAX_SAMPLE_ROWS) return { rows: rows.slice(0, -1), refusal: null, isWhole: false }
    }
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error
    return { rows, refusal: isAll ? error.message : null, isWhole: isAll }
  }
  return { rows: isAll ? rows : rows.slice(0, -1), refusal: null, isWhole: isAll }
}

function describeColumns(columns: readonly string[], rows: readonly FeedRow[]): TriedMapping['columns'] {
  return ruleColumns(columns).map(({ column, name }) => {
    const full = rows.map((row) => textOf(row, column)).filter((text) => text !== '')
    return {
      name: column,
      ruleName: name,
      samples: [...new Set(full)].slice(0, 3).map((text) => text.slice(0, 200)),
      filled: rows.length === 0 ? 0 : full.length / rows.length,
    }
  })
}

function shownRow({ line, raw, cells, problems }: FeedRow): TriedMapping['rows'][number] {
  const shown = Object.entries(cells).map(([name, cell]): [string, string | string[]] => [
    name,
    typeof cell === 'string' ? cell.slice(0, 20_000) : cell.slice(0, 200),
  ])
  return { line, raw: raw.slice(0, 2_000), cells: Object.fromEntries(shown), problems: [...problems] }
}

/** Five representative rows: the first ones, plus one rejected row and one with warnings if there are any. */
function pickExamples(results: readonly SampleResult[]): SampleResult[] {
  const refused = results.find(({ refusals }) => refusals.length > 0)
  const warned = results.find(({ refusals, warnings }) => refusals.length === 0 && warnings.length > 0)
  const special = [refused, warned].filter((one) => one !== undefined)
  const good = results.filter((one) => one.refusals.length === 0 && !special.includes(one))
  const chosen = [...good.slice(0, RESULTS - special.length), ...special]
  const rest = results.filter((one) => !chosen.includes(one)).slice(0, RESULTS - chosen.length)
  return [...chosen, ...rest].toSorted((one, other) => one.line - other.line)
}

function countReasons(results: readonly SampleResult[]): TriedMapping['refused'] {
  const counts = new Map<string, number>()
  for (const sentence of results.flatMap(({ refusals }) => refusals)) {
    counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  }
  const all = [...counts].map(([sentence, count]) => ({ sentence, count }))
  return all.toSorted((one, other) => other.count - one.count).slice(0, 10)
}
