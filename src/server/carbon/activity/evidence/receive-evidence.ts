import { randomUUID } from 'node:crypto'
import { EVIDENCE_TYPES, MAX_EVIDENCE_BYTES, MAX_EVIDENCE_FILES } from '#contract/carbon/activity/evidence.ts'
import { faultOfName } from '#contract/files/names.ts'
import { Failure, refused } from '#server/http/failure.ts'
import type { Upload } from '#server/http/kinds.ts'
import type { FileStorage, StoragePath, StagedFile } from '#server/outside/file-storage.ts'
import { inspectUpload } from '#server/outside/inspect-upload.ts'
import { typeOfBytes } from '#server/outside/type-of-bytes.ts'

/** A file that was received completely but isn't visible yet. */
export type StoredUpload = {
  name: string
  storedAs: string
  type: string
  size: number
  sha256: string
  file: StagedFile
}

/** The folder of evidence files. The leading underscore keeps the file manager from using it. */
const FOLDER = '_evidence'

export const evidencePlace = (customerId: string, storedAs: string): StoragePath => [
  customerId,
  FOLDER,
  storedAs,
]

/** An upload in progress, counted against the storage quota. */
export type SentEvidence = { files: Upload; admit: (bytes: number) => void; next: () => void }

/**
 * Receives the files of one upload, staged but not published. If one is rejected, all are discarded. `placeOf`: where a file
 * is stored.
 * @throws Failure 400 for an unsupported file, 413 for one that is too large.
 */
export async function receiveEvidence(
  storage: FileStorage,
  placeOf: (storedAs: string) => StoragePath,
  { files, admit, next }: SentEvidence,
): Promise<StoredUpload[]> {
  const uploads: StoredUpload[] = []
  try {
    for await (const { name: given, stream } of files) {
      if (uploads.length >= MAX_EVIDENCE_FILES)
        throw invalid(`Upload at most ${MAX_EVIDENCE_FILES} files at a time.`)
      const name = given.normalize('NFC')
      const fault = faultOfName(name)
      if (fault !== null) throw invalid(fault)
      const storedAs = randomUUID()
      const inspected = inspectUpload(stream)
      const file = await storage.stage(placeOf(storedAs), inspected.body, (bytes) => {
        if (bytes > MAX_EVIDENCE_BYTES)
          throw new Failure(413, `${name} is too large. The limit is ${MAX_EVIDENCE_BYTES / 1_000_000} MB.`)
        admit(bytes)
      })
      next()
      const { size, sha256, head } = inspected.result()
      uploads.push({ name, storedAs, file, size, sha256, type: typeOfBytes(head) })
      requireSupported(uploads.at(-1))
    }
    if (uploads.length === 0) throw invalid('Choose at least one file.')
    return uploads
  } catch (error) {
    await Promise.all(uploads.map(({ file }) => file.discard()))
    throw error
  }
}

const invalid = (sentence: string) => refused(sentence, { files: sentence })

function requireSupported(one: StoredUpload | undefined): void {
  if (one === undefined) return
  if (one.size === 0) throw invalid(`${one.name} is empty.`)
  if (!EVIDENCE_TYPES.some((type) => type === one.type))
    throw invalid(
      `${one.name} can't be used as evidence. Upload a PDF, an image, a spreadsheet or a text file.`,
    )
}
