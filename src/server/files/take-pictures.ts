import { createHash } from 'node:crypto'
import { Transform, type Readable } from 'node:stream'
import { FileName } from '#contract/files/names.ts'
import { Failure } from '#server/http/failure.ts'
import type { Upload } from '#server/http/kinds.ts'
import { StorageRefusal, type FileStorage, type StagedFile } from '#server/outside/file-storage.ts'
import { HEAD_BYTES, typeOfBytes } from '#server/outside/type-of-bytes.ts'
import { mediaPlace, spaceOf, type Names } from './places.ts'
import { makeQuota, type Limits } from './quota.ts'

/** What every browser shows. */
const SHOWN = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']
const NO_PICTURE = 'This is no picture that browsers show: JPEG, PNG, WebP, AVIF or GIF.'

/** A picture that has arrived whole and is seen by nobody yet, or why it was not taken. */
export type StagedPicture =
  | { name: string; print: string; size: number; file: StagedFile; path: string }
  | { name: string; reason: string }

export type PictureIntake = {
  /**
   * Takes pictures in one after the other for a folder of the media. Each stands by itself, and one whose name is taken
   * there gets a number behind it. What is answered is published or discarded by whoever asked.
   */
  stage: (customerId: string, folder: Names, files: Upload) => Promise<StagedPicture[]>
  /** The SHA-256 of a file of the media that has this many bytes; null of any other. */
  rowHash: (customerId: string, path: Names, size: number) => Promise<string | null>
  /** What is not there is left out. */
  remove: (customerId: string, paths: readonly Names[]) => Promise<void>
}

/** Pictures that come in for something else than the file manager, within the same limits. */
export function pictureIntake(storage: FileStorage, limits: Limits): PictureIntake {
  const quota = makeQuota(storage, limits)
  return {
    async stage(customerId, folder, files) {
      const children = (await storage.list(mediaPlace(customerId, folder))) ?? []
      const taken = new Set(children.map(({ name }) => name))
      const counted = await quota.begin(spaceOf(customerId))
      const staged: StagedPicture[] = []
      try {
        for await (const { name: given, stream } of files) {
          const read = FileName.safeParse(given)
          if (!read.success) {
            stream.resume()
            staged.push({ name: given, reason: read.error.issues[0]?.message ?? '' })
            continue
          }
          const name = freeName(read.data, taken)
          const place = mediaPlace(customerId, [...folder, name])
          const { gate, outcome } = watchPicture(stream, counted.admit)
          const file = await storage.stage(place, gate, () => {})
          counted.next()
          const { print, size, reason } = outcome()
          if (reason !== null) {
            await file.discard()
            staged.push({ name: given, reason })
            continue
          }
          taken.add(name)
          staged.push({ name: given, print, size, file, path: [...folder, name].join('/') })
        }
        return staged
      } catch (error) {
        await discardPictures(staged)
        throw error
      } finally {
        counted.end()
      }
    },

    async rowHash(customerId, path, size) {
      const place = mediaPlace(customerId, path)
      const found = await storage.find(place)
      if (found?.kind !== 'file' || found.size !== size) return null
      const file = await storage.read(place)
      if (file === null) return null
      const hash = createHash('sha256')
      for await (const part of file.body) hash.update(Buffer.from(part))
      return hash.digest('hex')
    },

    async remove(customerId, paths) {
      await storage.remove(paths.map((path) => mediaPlace(customerId, path)))
    },
  }
}

/** None of these is wanted any more. Those that were published stay. */
export async function discardPictures(pictures: readonly StagedPicture[]): Promise<void> {
  const there = pictures.flatMap((one) => ('file' in one ? [one.file] : []))
  await Promise.all(there.map((file) => file.discard()))
}

/** Puts a picture where it belongs. A sentence: somebody took its name while it was on its way. */
export async function publishPicture(file: StagedFile): Promise<string | null> {
  try {
    await file.publish({ replaces: false })
    return null
  } catch (error) {
    if (error instanceof StorageRefusal && error.why === 'taken') {
      await file.discard()
      return 'Somebody put a file of this name there just now. Send it once more.'
    }
    throw error
  }
}

/**
 * Looks at a picture while it passes. What is too large or no picture is read to its end and goes no further: a stream
 * that is left half-way would hold up the files behind it.
 */
function watchPicture(stream: Readable, admit: (bytes: number) => void) {
  const hash = createHash('sha256')
  let head: Buffer = Buffer.alloc(0)
  let size = 0
  let reason: string | null = null
  const gate = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES)
      reason ??= refusalOf(() => admit(size))
      if (reason !== null) {
        done()
        return
      }
      hash.update(chunk)
      done(null, chunk)
    },
  })
  stream.once('error', (error) => gate.destroy(error))
  const outcome = () => ({
    print: hash.digest('hex'),
    size,
    reason: reason ?? (SHOWN.includes(typeOfBytes(head)) ? null : NO_PICTURE),
  })
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

/** `N10.jpg`, or `N10 2.jpg` where there is one. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const dot = name.lastIndexOf('.')
  const [start, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; ; number += 1) {
    const other = `${start.slice(0, 180)} ${number}${end}`
    if (!taken.has(other)) return other
  }
}
