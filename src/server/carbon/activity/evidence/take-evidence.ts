import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { EVIDENCE_TYPES, MAX_EVIDENCE_BYTES, MAX_EVIDENCE_FILES } from '#contract/carbon/activity/evidence.ts'
import { faultOfName } from '#contract/files/names.ts'
import { Failure, refused } from '#server/http/failure.ts'
import type { Upload } from '#server/http/kinds.ts'
import type { FileStorage, Place, StagedFile } from '#server/outside/file-storage.ts'
import { HEAD_BYTES, typeOfBytes } from '#server/outside/type-of-bytes.ts'

/** A file that arrived whole and that nobody sees yet. */
export type StoredUpload = {
  name: string
  storedAs: string
  type: string
  size: number
  sha256: string
  file: StagedFile
}

/** The folder of evidence: the rule of containers keeps the file manager from naming it. */
const FOLDER = '_evidence'

export const evidencePlace = (customerId: string, storedAs: string): Place => [customerId, FOLDER, storedAs]

/**
 * Takes the files of one upload in, staged and not yet published. Where one is refused, nothing stays behind.
 * @throws Failure 400 for what is no evidence, 413 for what is too large.
 */
export async function receiveEvidence(
  storage: FileStorage,
  customerId: string,
  { files, admit, next }: { files: Upload; admit: (bytes: number) => void; next: () => void },
): Promise<StoredUpload[]> {
  const taken: StoredUpload[] = []
  try {
    for await (const { name: given, stream } of files) {
      if (taken.length >= MAX_EVIDENCE_FILES) throw wrong(`Send at most ${MAX_EVIDENCE_FILES} files at once.`)
      const name = given.normalize('NFC')
      const fault = faultOfName(name)
      if (fault !== null) throw wrong(fault)
      const storedAs = randomUUID()
      const seen = look(stream)
      const file = await storage.stage(evidencePlace(customerId, storedAs), seen.body, (bytes) => {
        if (bytes > MAX_EVIDENCE_BYTES)
          throw new Failure(413, `${name} is too large: at most ${MAX_EVIDENCE_BYTES / 1_000_000} MB.`)
        admit(bytes)
      })
      next()
      taken.push({ name, storedAs, file, ...seen.result() })
      refuseOther(taken.at(-1))
    }
    if (taken.length === 0) throw wrong('Send at least one file.')
    return taken
  } catch (error) {
    await Promise.all(taken.map(({ file }) => file.discard()))
    throw error
  }
}

const wrong = (sentence: string) => refused(sentence, { files: sentence })

function refuseOther(one: StoredUpload | undefined): void {
  if (one === undefined) return
  if (one.size === 0) throw wrong(`${one.name} is empty.`)
  if (!EVIDENCE_TYPES.some((type) => type === one.type))
    throw wrong(`${one.name} is no evidence: give a PDF, a picture, a workbook or text.`)
}

/** The bytes on their way, with what they turn out to be. */
function look(stream: Readable) {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let size = 0
  async function* through() {
    for await (const part of stream) {
      const bytes = Buffer.from(part)
      if (size < HEAD_BYTES) head.push(bytes.subarray(0, HEAD_BYTES - size))
      size += bytes.length
      hash.update(bytes)
      yield bytes
    }
  }
  return {
    body: Readable.from(through(), { objectMode: false }),
    result: () => ({ size, sha256: hash.digest('hex'), type: typeOfBytes(Buffer.concat(head)) }),
  }
}
