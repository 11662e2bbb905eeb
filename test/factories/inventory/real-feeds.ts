import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ANY_SHAPE } from '#contract/inventory/feeds/formats/feed-shape.ts'
import type { FeedRow } from '#contract/inventory/feeds/mappings/source-row.ts'
import { prepareMapping } from '#contract/inventory/feeds/mappings/map-row.ts'
import { proposeMapping } from '#contract/inventory/feeds/mappings/presets.ts'
import { openFeed } from '#server/inventory/feeds/formats/open-feed.ts'
import { findReferenceFile } from '#test/harness/reference-data.ts'

/** The folder of real provider feeds, which are not part of the repository. Null if this machine has none. */
export const REAL_FEEDS = findReferenceFile('feeds')

export type FeedFigures = {
  file: string
  rows: number
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
