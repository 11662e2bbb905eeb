import { ANY_SHAPE, type FeedShape } from '#contract/feeds/mappings/feed-shape.ts'
import { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import type { TriedMapping } from '#contract/feeds/mappings/tried-mapping.ts'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { upload } from '#web/api/upload.ts'
import { AUTO_DETECT, describeShape } from './format-labels.ts'

/** A second file from the same provider, with its column names. */
export type SecondFile = { file: File; columns: string[] }

/** The sample file, the second file joined to it, and the result. */
export type Sample = { file: File; second: SecondFile | null; tried: TriedMapping }

/** How the second file is read and joined to the first. */
export type Join = NonNullable<FeedMapping['second']>

/**
 * `check`: tries this mapping on the sample. `match`: proposes all fields again. `fill`: proposes only fields that are not mapped
 * yet.
 */
export type SampleRequest = {
  file: File
  second: SecondFile | null
  mapping: FeedMapping
  how: 'check' | 'match' | 'fill'
}

/** Reads a sample on the server. The returned mapping includes the proposed fields. */
export async function trySample({ file, second, mapping, how }: SampleRequest): Promise<Sample> {
  const files = second === null || mapping.second === null ? [file] : [file, second.file]
  if (how === 'check') return { file, second, tried: await attempt(files, mapping) }
  const isAutoDetected = mapping.second === null && describeShape(mapping.shape) === AUTO_DETECT
  if (how === 'match' && isAutoDetected) return { file, second, tried: await attempt(files, null) }
  const kept = how === 'fill' ? mapping.fields : {}
  const { matches } = await attempt(files, { ...mapping, fields: kept })
  const proposed = Object.fromEntries(matches.map((one) => [one.target, one.mapping]))
  const fields: FeedMapping['fields'] = { ...proposed, ...kept }
  return { file, second, tried: await attempt(files, { ...mapping, fields }) }
}

/** Sends the files to the server, which proposes a mapping if there is none. */
function attempt(files: readonly File[], mapping: FeedMapping | null): Promise<TriedMapping> {
  const input = mapping === null ? {} : { mapping: JSON.stringify(mapping) }
  // Never aborted, because samples are small.
  const sent = { signal: new AbortController().signal, onSent: () => undefined }
  return upload(providerMappings.attempt, input, files, sent)
}

/** The columns of the first file. In a joined sample, those of the second file come after them. */
export function firstColumns(sample: Sample, isJoined: boolean): string[] {
  const names = sample.tried.columns.map(({ name }) => name)
  const more = isJoined ? (sample.second?.columns.length ?? 0) : 0
  return more === 0 || names.length <= more ? names : names.slice(0, -more)
}

/** Reads a second file and finds the column to join by: the VIN, else the stock number. */
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
