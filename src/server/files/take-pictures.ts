import { createHash } from 'node:crypto'
import { Transform, type Readable } from 'node:stream'
import { FileName } from '#contract/files/names.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import { Failure } from '#server/http/failure.ts'
import type { Upload } from '#server/http/kinds.ts'
import { StorageRefusal, type FileStorage, type StagedFile } from '#server/outside/file-storage.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import { HEAD_BYTES, typeOfBytes } from '#server/outside/type-of-bytes.ts'
import { hashOf } from './media-contents.ts'
import { MOST_PICTURE_BYTES, problemOfPicture } from './public-pictures.ts'
import { freeFileName, mediaPlace, spaceOf, type Names } from './storage-paths.ts'
import { makeQuota, type Limits, type Quota } from './quota.ts'

/** The formats that all browsers show. */
const SHOWN = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']
const TOO_LARGE = `This picture is larger than ${MOST_PICTURE_BYTES / 1e6} MB, so pages can't show it. Save it smaller.`
const UNSUPPORTED = 'Choose a JPEG, PNG, WebP, AVIF or GIF picture.'

/** A fully uploaded, unpublished picture, or the reason it was rejected. */
export type StagedPicture =
  | { name: string; fingerprint: string; size: number; file: StagedFile; path: string }
  | { name: string; reason: string }

export type PictureIntake = {
  /**
   * Stages pictures one at a time for a media folder. Each is independent; one whose name is taken gets a number appended.
   * The caller must publish or discard the result.
   */
  stage: (customerId: string, folder: Names, files: Upload) => Promise<StagedPicture[]>
  /** The SHA-256 of a media file if its size matches; otherwise null. */
  fingerprintOf: (customerId: string, path: Names, size: number) => Promise<string | null>
  /** Whether a media file is a picture that pages can show, by its first bytes. */
  hasPicture: (customerId: string, path: Names) => Promise<boolean>
  /** Ignores missing files. */
  remove: (customerId: string, paths: readonly Names[]) => Promise<void>
}

/** Uploads of pictures outside the file manager, within the same limits; for handlers without an open transaction. */
export function pictureIntake(
  storageOf: OutsideStorage,
  limits: Limits,
): (outside: Outside) => PictureIntake {
  const quota = makeQuota(limits)
  return (outside) => intakeInto(storageOf(outside), quota)
}

function intakeInto(storage: FileStorage, quota: Quota): PictureIntake {
  return {
    async stage(customerId, folder, files) {
      const children = (await storage.list(mediaPlace(customerId, folder))) ?? []
      const taken = new Set(children.map(({ name }) => name))
      const counted = await quota.begin(storage, spaceOf(customerId))
      const staged: StagedPicture[] = []
      try {
        for await (const { name: fileName, stream } of files) {
          const read = FileName.safeParse(fileName)
          if (!read.success) {
            stream.resume()
            staged.push({ name: fileName, reason: read.error.issues[0]?.message ?? '' })
            continue
          }
          const name = freeFileName(read.data, taken)
          const place = mediaPlace(customerId, [...folder, name])
          const { gate, outcome } = watchPicture(stream, counted.admit)
          const file = await storage.stage(place, gate, () => {})
          counted.next()
          const { fingerprint, size, ...found } = outcome()
          const reason = found.reason ?? (await problemOfPicture(customerId, found.bytes))
          if (reason !== null) {
            await file.discard()
            staged.push({ name: fileName, reason })
            continue
          }
          taken.add(name)
          staged.push({ name: fileName, fingerprint, size, file, path: [...folder, name].join('/') })
        }
        return staged
      } catch (error) {
        await discardPictures(staged)
        throw error
      } finally {
        counted.end()
      }
    },

    async fingerprintOf(customerId, path, size) {
      const place = mediaPlace(customerId, path)
      const found = await storage.find(place)
      if (found?.kind !== 'file' || found.size !== size) return null
      return hashOf(storage, place)
    },

    async hasPicture(customerId, path) {
      const found = await storage.find(mediaPlace(customerId, path))
      // Also drawings: what is shown of them is a picture.
      return found?.kind === 'file' && [...SHOWN, 'image/svg+xml'].includes(found.type)
    },

    async remove(customerId, paths) {
      await storage.remove(paths.map((path) => mediaPlace(customerId, path)))
    },
  }
}

/** Discards staged pictures. Published ones are kept. */
export async function discardPictures(pictures: readonly StagedPicture[]): Promise<void> {
  const there = pictures.flatMap((one) => ('file' in one ? [one.file] : []))
  await Promise.all(there.map((file) => file.discard()))
}

/** Publishes a picture. Returns an error message if its name was taken during the upload, otherwise null. */
export async function publishPicture(file: StagedFile): Promise<string | null> {
  try {
    await file.publish({ replaces: false })
    return null
  } catch (error) {
    if (error instanceof StorageRefusal && error.why === 'taken') {
      await file.discard()
      return 'A file with this name was just added. Upload it again.'
    }
    throw error
  }
}

/**
 * Checks a picture while it streams. A file that is too large or not a picture is read to its end but not stored, because
 * an unread stream would block the files after it.
 */
function watchPicture(stream: Readable, admit: (bytes: number) => void) {
  const hash = createHash('sha256')
  const parts: Buffer[] = []
  let size = 0
  let reason: string | null = null
  const gate = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      reason ??= refusalOf(() => admit(size)) ?? (size > MOST_PICTURE_BYTES ? TOO_LARGE : null)
      if (reason !== null) {
        parts.length = 0
        done()
        return
      }
      parts.push(chunk)
      hash.update(chunk)
      done(null, chunk)
    },
  })
  stream.once('error', (error) => gate.destroy(error))
  const outcome = () => {
    const bytes = Buffer.concat(parts)
    const isShown = SHOWN.includes(typeOfBytes(bytes.subarray(0, HEAD_BYTES)))
    return { fingerprint: hash.digest('hex'), size, bytes, reason: reason ?? (isShown ? null : UNSUPPORTED) }
  }
  return { gate: stream.pipe(gate), outcome }
}

function refusalOf(work: () => void): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}
