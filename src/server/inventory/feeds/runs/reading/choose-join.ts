import type { FeedMapping } from '#contract/inventory/feeds/mappings/mapping.ts'
import { FeedRefusal } from '#server/inventory/feeds/formats/feed-refusal.ts'
import { joinedColumns } from '#server/inventory/feeds/formats/join-feeds.ts'
import {
  type MappingChoice,
  firstRows,
  fitOf,
  type OpenFile,
  type SavedMapping,
  usedBy,
} from './choose-mapping.ts'

/** The files of a run in the order in which they are joined. */
export type JoinedFiles = { chosen: MappingChoice; first: OpenFile; second: OpenFile }

/**
 * The mapping that joins two files, and which of them is the first: whoever drops two files at once names no order.
 * @param named the one that was asked for; else the saved one that uses most columns of both.
 * @throws FeedRefusal when none joins them.
 */
export async function chooseJoin(
  files: readonly [OpenFile, OpenFile],
  { named, saved }: { named: SavedMapping | null; saved: readonly SavedMapping[] },
): Promise<JoinedFiles> {
  const [one, other] = files
  if (named !== null && named.mapping.second === null) {
    throw new FeedRefusal(`Two files came, and ${named.name} reads one. Bring them one by one.`)
  }
  const asked = (named === null ? saved : [named]).filter(({ mapping }) => mapping.second !== null)
  const found = (
    await Promise.all(asked.flatMap((mapping) => [fitted(mapping, one, other), fitted(mapping, other, one)]))
  )
    .filter((fit) => fit !== null)
    .toSorted((a, b) => b.fit - a.fit)
  const [best] = found
  if (best !== undefined) return best
  throw new FeedRefusal(
    named === null
      ? 'Two files came, and no provider mapping joins them. Make one that does, or bring them one by one.'
      : `${named.name} joins ${describeJoin(named.mapping)}, and these files do not have them.`,
  )
}

async function fitted(
  saved: SavedMapping,
  first: OpenFile,
  second: OpenFile,
): Promise<(JoinedFiles & { fit: number }) | null> {
  const join = saved.mapping.second
  if (join === null) return null
  const [own, more] = await Promise.all([
    columnsOf(first, saved.mapping.shape),
    columnsOf(second, join.shape),
  ])
  if (!own.includes(join.column) || !more.includes(join.secondColumn)) return null
  const columns = joinedColumns(own, more)
  const chosen = { ...saved, columns: { known: usedBy(saved.mapping, columns).size, total: columns.length } }
  return { chosen, first, second, fit: fitOf(saved.mapping, columns) }
}

const columnsOf = async (open: OpenFile, shape: FeedMapping['shape']): Promise<string[]> =>
  (await firstRows(await open(), shape)).columns

const describeJoin = ({ second }: FeedMapping): string =>
  `the column ${second?.column} of one file with ${second?.secondColumn} of the other`
