import type { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { joinedColumns } from './join-feeds.ts'
import {
  type MappingChoice,
  columnsOfFile,
  fitOf,
  type OpenFile,
  type SavedMapping,
  usedBy,
} from './choose-mapping.ts'

/** The files of a run, in the order in which they are joined. */
export type JoinedFiles = { chosen: MappingChoice; first: OpenFile; second: OpenFile }

/**
 * Finds the mapping that joins two files, and which of them comes first: two files dropped together have no order.
 * @param named the requested mapping; without it, the saved one that uses the most columns of both files.
 * @throws FeedRefusal if no mapping joins them.
 */
export async function chooseJoin(
  files: readonly [OpenFile, OpenFile],
  { named, saved }: { named: SavedMapping | null; saved: readonly SavedMapping[] },
): Promise<JoinedFiles> {
  const [one, other] = files
  if (named !== null && named.mapping.second === null) {
    throw new FeedRefusal(`You uploaded two files, but ${named.name} reads only one. Upload them separately.`)
  }
  const candidates = (named === null ? saved : [named]).filter(({ mapping }) => mapping.second !== null)
  const found = (
    await Promise.all(
      candidates.flatMap((mapping) => [fitted(mapping, one, other), fitted(mapping, other, one)]),
    )
  )
    .filter((fit) => fit !== null)
    .toSorted((a, b) => b.fit - a.fit)
  const [best] = found
  if (best !== undefined) return best
  throw new FeedRefusal(
    named === null
      ? 'You uploaded two files, but no provider mapping joins them. Add one that does, or upload them separately.'
      : `${named.name} joins ${describeJoin(named.mapping)}, but these files don't have those columns.`,
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
  const known = usedBy(saved.mapping, columns).size
  const chosen: MappingChoice = {
    ...saved,
    columns: { known, total: columns.length },
    format: 'csv',
    names: columns,
    changes: [],
  }
  return { chosen, first, second, fit: fitOf(saved.mapping, columns) }
}

const columnsOf = async (open: OpenFile, shape: FeedMapping['shape']): Promise<string[]> =>
  (await columnsOfFile(await open(), shape)).columns

const describeJoin = ({ second }: FeedMapping): string =>
  `column ${second?.column} of one file with ${second?.secondColumn} of the other`
