import { knownBlocks, picturesIn, type StoredBlock } from '#contract/marketing/pages/blocks.ts'
import { nameOfBlock } from '#contract/marketing/pages/check-blocks.ts'
import { type MediaReader, MOST_PICTURE_BYTES, problemOfPicture } from '#server/files/index.ts'

/** Why pages can't show a picture of these blocks, as a sentence that names it; null if they can. `before`: was checked already. */
export type CheckPictures = (
  customerId: string,
  blocks: readonly StoredBlock[],
  before: readonly StoredBlock[],
) => Promise<string | null>

const pathsOf = (blocks: readonly StoredBlock[]): string[] =>
  knownBlocks(blocks).flatMap((block) => picturesIn(block).map(({ path }) => path))

/** Reads each picture that is new, because a file with the type of a picture may be none: damaged, or too large to be decoded. */
export const pictureCheck =
  (media: MediaReader): CheckPictures =>
  async (customerId, blocks, before) => {
    const checked = new Set(pathsOf(before))
    for (const [at, stored] of blocks.entries())
      for (const path of pathsOf([stored])) {
        if (checked.has(path)) continue
        checked.add(path)
        // oxlint-disable-next-line no-await-in-loop -- One in memory at a time.
        const problem = await problemOf(customerId, path)
        if (problem !== null)
          return `${nameOfBlock(at, stored.type)}, “${path.split('/').at(-1) ?? ''}”: ${problem}`
      }
    return null

    async function problemOf(customer: string, path: string): Promise<string | null> {
      const file = await media.read(customer, path, MOST_PICTURE_BYTES)
      if (file === null)
        return `This isn’t in the media library anymore, or is larger than ${MOST_PICTURE_BYTES / 1e6} MB. Choose another picture.`
      if (!file.type.startsWith('image/')) return 'This isn’t a picture. Choose another file.'
      return problemOfPicture(customer, file.bytes)
    }
  }
