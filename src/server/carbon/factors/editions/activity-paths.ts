import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/** What the library calls an activity, by the words of its category and name. */
export type ActivityPaths = ReadonlyMap<string, string>

/** Reads the activities that factors of any edition have; words that mean two of them are left out. */
export async function readActivityPaths(db: Database): Promise<ActivityPaths> {
  const { rows } = await sql<{ category: string; name: string; activity: string }>`
    select distinct category, name, activity from library.factors where superseded_by is null`.execute(db)
  const paths = new Map<string, string>()
  const doubtful = new Set<string>()
  for (const { category, name, activity } of rows) {
    const words = wordsOf(`${category} ${name}`)
    if ((paths.get(words) ?? activity) !== activity) doubtful.add(words)
    paths.set(words, activity)
  }
  for (const words of doubtful) paths.delete(words)
  return paths
}

/**
 * The path of an activity: that of the library where an earlier edition has the same words in whatever order, else one
 * made of them.
 */
export function pathOf(
  paths: ActivityPaths,
  { category, name }: { category: string; name: string },
): { activity: string; isKnown: boolean } {
  const known = paths.get(wordsOf(`${category} ${name}`))
  if (known !== undefined) return { activity: known, isKnown: true }
  return { activity: `${slug(category)}/${slug(name)}`.slice(0, 200).replace(/[-/]+$/, ''), isKnown: false }
}

/** "Fuels > Gaseous fuels, Butane" and "Fuels, Gaseous fuels, butane" are the same words. */
function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}.%]+/gu) ?? []
  return [...new Set(words)].toSorted().join(' ')
}

function slug(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-') ?? 'other'
}
