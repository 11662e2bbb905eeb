import type { MediaUses } from '#contract/files/files.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import { type Names, pathInMedia } from './storage-paths.ts'

/** What would change what pages and vehicles show. */
type FileAct = 'deleted' | 'renamed' | 'replaced'

/** Finds what shows files of the customer's media, or files in their folders. The domains that refer to files provide it. */
export type FindMediaUses = (db: Database, paths: readonly string[]) => Promise<MediaUses>

/** What any of several domains finds. */
export const anyUses =
  (...finders: readonly FindMediaUses[]): FindMediaUses =>
  async (db, paths) => {
    const found: MediaUses = { total: 0, uses: [] }
    for (const find of finders) {
      // oxlint-disable-next-line no-await-in-loop -- One transaction.
      const { total, uses } = await find(db, paths)
      found.total += total
      found.uses.push(...uses)
    }
    return found
  }

/** Requires that nothing shows any of some files, or files in these folders. @throws Failure 409 that says what does */
export const makeRequireUnused =
  (findUses: FindMediaUses) =>
  async (
    inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
    root: { container: string; root: Names },
    { paths, act }: { paths: readonly Names[]; act: FileAct },
  ): Promise<void> => {
    const media = paths.flatMap((path) => pathInMedia(root, path) ?? [])
    if (media.length === 0) return
    const why = whyUsed(await inTenant((db) => findUses(db, media)), act)
    if (why !== null) throw conflict(why)
  }

/**
 * Requires that someone who doesn't manage everything that may show a file replaces none that is shown: what it was is lost.
 * @throws Failure 409 that says what shows it
 */
export const makeRequireReplaceable = (findUses: FindMediaUses) => {
  const requireUnused = makeRequireUnused(findUses)
  type In = Parameters<typeof requireUnused>
  return async (
    { reach }: Pick<Member, 'reach'>,
    inTenant: In[0],
    root: In[1],
    paths: readonly Names[],
  ): Promise<void> => {
    if (reach !== 'customer') await requireUnused(inTenant, root, { paths, act: 'replaced' })
  }
}
export type RequireReplaceable = ReturnType<typeof makeRequireReplaceable>

/** Why files that are used stay as they are; null if nothing uses them. */
export function whyUsed(found: MediaUses, act: FileAct): string | null {
  if (found.total === 0) return null
  return `${namedUses(found)}, so it can't be ${act}. ${act === 'replaced' ? 'Upload the file under another name.' : 'Remove it there first.'}`
}

/** "2 vehicles and pages show it (Trucks and others)": the start of a sentence. */
export function namedUses({ total, uses: [first] }: MediaUses): string {
  const named = first === undefined ? '' : ` (${first.title}${total > 1 ? ' and others' : ''})`
  return `${total === 1 ? 'One vehicle or page shows' : `${total} vehicles and pages show`} it${named}`
}
