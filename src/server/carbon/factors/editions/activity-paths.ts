import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/** Activity paths of the library, by the words of category and name. */
export type ActivityPaths = ReadonlyMap<string, string>

/** Reads the activities of all factors. Words that match two activities are left out. */
export async function readActivityPaths(db: Database): Promise<ActivityPaths> {
  const { rows } = await sql<{ category: string; name: string; activity: string }>`
    select distinct category, name, activity from library.factors where superseded_by is null`.execute(db)
  const paths = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const { category, name, activity } of rows) {
    const words = wordsOf(`${category} ${name}`)
    if ((paths.get(words) ?? activity) !== activity) ambiguous.add(words)
    paths.set(words, activity)
  }
  for (const words of ambiguous) paths.delete(words)
  return paths
}

/**
 * The path of an activity: the one in the library if an earlier factor has the same words in any order, or else a new
 * one made of the words.
 */
export function pathOf(
  paths: ActivityPaths,
  { category, name }: { category: string; name: string },
): { activity: string; isKnown: boolean } {
  const known = paths.get(wordsOf(`${category} ${name}`))
  if (known !== undefined) return { activity: known, isKnown: true }
  return { activity: `${slug(category)}/${slug(name)}`.slice(0, 200).replace(/[-/]+$/, ''), isKnown: false }
}

/** "Fuels > Gaseous fuels, Butane" and "Fuels, Gaseous fuels, butane" have the same words. */
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
