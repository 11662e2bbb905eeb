import { ANY_SHAPE, type FeedShape } from '#contract/inventory/feeds/formats/feed-shape.ts'
import { FeedMapping } from '#contract/inventory/feeds/mappings/mapping.ts'
import type { TriedMapping } from '#contract/inventory/feeds/mappings/tried-mapping.ts'
import { providerMappings } from '#contract/inventory/feeds/mappings/provider-mappings.ts'
import { upload } from '#web/api/upload.ts'
import { describeShape } from './format-labels.ts'

/** A second file of the same provider, and its columns as they stand in it. */
export type SecondFile = { file: File; columns: string[] }

/** The file that was tried, the one that was joined to it, and what came of them. */
export type Sample = { file: File; second: SecondFile | null; tried: TriedMapping }

/** How a second file is read and joined to the first. */
export type Join = NonNullable<FeedMapping['second']>

/**
 * `check`: what this mapping makes of the sample. `match`: its fields are proposed anew. `fill`: only those that are not
 * filled yet.
 */
export type SampleRequest = {
  file: File
  second: SecondFile | null
  mapping: FeedMapping
  how: 'check' | 'match' | 'fill'
}

/** Has the server read a sample; the mapping of the answer is the one wanted, with what was proposed. */
export async function trySample({ file, second, mapping, how }: SampleRequest): Promise<Sample> {
  const files = second === null || mapping.second === null ? [file] : [file, second.file]
  if (how === 'check') return { file, second, tried: await attempt(files, mapping) }
  const isAsFound = mapping.second === null && describeShape(mapping.shape) === 'found out'
  if (how === 'match' && isAsFound) return { file, second, tried: await attempt(files, null) }
  const kept = how === 'fill' ? mapping.fields : {}
  const { matches } = await attempt(files, { ...mapping, fields: kept })
  const proposed = Object.fromEntries(matches.map((one) => [one.target, one.mapping]))
  const fields: FeedMapping['fields'] = { ...proposed, ...kept }
  return { file, second, tried: await attempt(files, { ...mapping, fields }) }
}

/** Without a mapping the server proposes one. */
function attempt(files: readonly File[], mapping: FeedMapping | null): Promise<TriedMapping> {
  const input = mapping === null ? {} : { mapping: JSON.stringify(mapping) }
  // Nobody stops it: a sample is small.
  const sent = { signal: new AbortController().signal, onSent: () => undefined }
  return upload(providerMappings.attempt, input, files, sent)
}

/** The columns of the first file: of two, those of the second come behind them. */
export function firstColumns(sample: Sample, isJoined: boolean): string[] {
  const names = sample.tried.columns.map(({ name }) => name)
  const more = isJoined ? (sample.second?.columns.length ?? 0) : 0
  return more === 0 || names.length <= more ? names : names.slice(0, -more)
}

/** Reads a second file by itself and finds the column that both know a vehicle by: its VIN, else its stock number. */
export async function readSecond(
  file: File,
  first: TriedMapping,
  before: Join | null,
): Promise<{ second: SecondFile; join: Join }> {
  const shape: FeedShape = before?.shape ?? ANY_SHAPE
  const tried = await attempt([file], FeedMapping.parse({ shape }))
  const columns = tried.columns.map(({ name }) => name)
  const second = { file, columns }
  if (before !== null && columns.includes(before.secondColumn)) return { second, join: before }
  for (const target of ['vin', 'stock'] as const) {
    const [column, secondColumn] = [columnFor(first, target), columnFor(tried, target)]
    if (column !== null && secondColumn !== null) return { second, join: { shape, column, secondColumn } }
  }
  const column = first.columns[0]?.name ?? ''
  return { second, join: { shape, column, secondColumn: columns[0] ?? '' } }
}

function columnFor({ matches }: TriedMapping, target: 'vin' | 'stock'): string | null {
  const source = matches.find((one) => one.target === target)?.mapping.source
  return source?.kind === 'column' ? source.column : null
}
