import { readPath } from '#contract/files/names.ts'
import type { Received } from '#contract/endpoint.ts'
import type { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { refused } from '#server/http/failure.ts'

type Photos = Received<typeof vehicles.update>['photos']

/** Whether a media file of a customer exists. */
export type HasMediaFile = (customerId: string, path: readonly string[]) => Promise<boolean>

/**
 * Checks that the files among photos exist. Those in `known` were on the vehicle before: a file that was deleted since doesn't
 * stop other changes. For handlers without an open transaction.
 * @throws Failure 400 on each photo whose file doesn't exist, with its name
 */
export async function requirePhotoFiles(
  hasFile: HasMediaFile,
  customerId: string,
  { photos = [], known = [] }: { photos: Photos; known?: readonly string[] },
): Promise<void> {
  const fields: Record<string, string> = {}
  for (const [at, { kind, place }] of photos.entries()) {
    if (kind !== 'file' || known.includes(place)) continue
    const path = readPath(place)
    // oxlint-disable-next-line no-await-in-loop
    if ('names' in path && (await hasFile(customerId, path.names))) continue
    fields[`photos.${at}.place`] = `The media library has no file ${place}.`
  }
  const [first] = Object.values(fields)
  if (first !== undefined) throw refused(first, fields)
}
