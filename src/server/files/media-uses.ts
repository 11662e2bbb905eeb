import type { MediaUses } from '#contract/files/files.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** Finds what shows files of the customer's media, or files in their folders. The domains that refer to files provide it. */
export type FindMediaUses = (db: Database, paths: readonly string[]) => Promise<MediaUses>

/** Why files that are used stay as they are; null if nothing uses them. */
export function whyUsed({ total, uses }: MediaUses, act: 'deleted' | 'renamed'): string | null {
  if (total === 0) return null
  const [first] = uses
  const named = first === undefined ? '' : ` (${first.title}${total > 1 ? ' and others' : ''})`
  return `${total === 1 ? 'One vehicle shows' : `${total} vehicles show`} it${named}, so it can't be ${act}. Remove it there first.`
}
