import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { lineOf } from '#contract/marketing/forms/form-body.ts'
import {
  MAX_FORM_FILE_BYTES,
  MAX_FORM_FILE_MB,
  MAX_FORM_FILES,
} from '#contract/marketing/forms/form-files.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { QuestionOf } from '#contract/questions/definition.ts'
import type { ProblemCode } from '#contract/questions/problem-messages.ts'
import { acceptedTypes } from '#contract/questions/reading/read-parts.ts'
import { type Quota, spaceOf } from '#server/files/index.ts'
import { Failure } from '#server/http/failure.ts'
import { partsOf, readableFile } from '#server/http/kinds.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { inspectUpload } from '#server/outside/inspect-upload.ts'
import { FORM_CHARACTERS } from '../site/form-limit.ts'
import { formFilePlace, type SentFile } from './form-files.ts'
import { mediaTypeOf } from '#server/outside/media-type.ts'

/** Bytes of a body with files, with those that are too large. Its fields are lost beyond that. */
const BODY_LIMIT = 250_000_000

/** A file that isn't stored, and why. */
export type RefusedFile = Readonly<{ question: string; code: ProblemCode; fill?: number | undefined }>

type Fault = Omit<RefusedFile, 'question'>

/** What a visitor sent: fields as text, files as they were accepted. */
export type SentForm = Readonly<{
  body: URLSearchParams
  files: readonly SentFile[]
  refused: readonly RefusedFile[]
}>

/** Where files of a form go. */
export type FilePlace = Readonly<{
  customerId: string
  storage: FileStorage
  quota: Quota
  /** Null if the form can't be read: files are left out. */
  compiled: CompiledDefinition | null
  /** Called before the first file, with the fields that came before it. */
  budgetOf: (fields: URLSearchParams) => Promise<FileBudget>
}>

/** What limits the files of a form. Those that are refused are left out, and the rest of the form is accepted. */
export type FileBudget = Readonly<{
  /** Whether files can be stored now. */
  hasRoom: boolean
  /** Counts a file that was received. @returns why it can't be kept; null if it can */
  count: (bytes: number) => Promise<Fault | null>
}>

/** The fields of a form without files. */
export const fieldsOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

/**
 * Reads a form with files, each as it arrives. A file that isn't accepted is read to its end and left out, so that nothing that was
 * typed is lost.
 * @throws Failure 400 for a body that was cut off, 413 for one that is endless; no file is left behind then
 */
export async function readSentForm(request: FastifyRequest, place: FilePlace): Promise<SentForm> {
  const body = new URLSearchParams()
  const files: SentFile[] = []
  const refused: RefusedFile[] = []
  let [characters, bytes] = [0, 0]
  let budget: FileBudget | null = null
  const counted = await place.quota.begin(place.storage, spaceOf(place.customerId))
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'field') {
        const value = String(part.value)
        characters += part.fieldname.length + value.length
        if (part.valueTruncated || characters > FORM_CHARACTERS) throw tooLarge()
        body.append(part.fieldname, value)
        continue
      }
      const stream = readableFile(part.file)
      budget ??= await place.budgetOf(body)
      const isFull = !budget.hasRoom || files.length >= MAX_FORM_FILES
      const received = await receiveFile(stream, {
        place,
        budget,
        code: part.fieldname,
        // Browsers send a part without a name for each input without a file.
        name: part.filename ?? '',
        isFull,
        admit: counted.admit,
      })
      counted.next()
      bytes += received.bytes
      if (bytes > BODY_LIMIT) throw tooLarge()
      if (received.file !== undefined) files.push(received.file)
      if (received.refused !== undefined) refused.push(received.refused)
    }
    return { body, files, refused }
  } catch (error) {
    await discardFiles(files)
    throw error
  } finally {
    counted.end()
  }
}

/** Leaves out files that were received for nothing. */
export async function discardFiles(files: readonly SentFile[]): Promise<void> {
  await Promise.all(files.map(({ file }) => file.discard()))
}

const tooLarge = () => new Failure(413, 'This form has too much content.')

type Received = { bytes: number; file?: SentFile; refused?: RefusedFile }

async function receiveFile(
  stream: Readable,
  of: {
    place: FilePlace
    budget: FileBudget
    code: string
    name: string
    isFull: boolean
    admit: (bytes: number) => void
  },
): Promise<Received> {
  const { place, code, name: given } = of
  const question = place.compiled?.byCode.get(code)?.question
  if (question?.type !== 'file' || given === '') return { bytes: await drain(stream) }
  if (of.isFull) return { bytes: await drain(stream), refused: { question: code, code: 'fileFailed' } }
  const storedAs = randomUUID()
  const inspected = inspectUpload(stream, MAX_FORM_FILE_BYTES)
  let isOverQuota = false
  const file = await place.storage.stage(
    formFilePlace(place.customerId, storedAs),
    inspected.body,
    (bytes) => {
      try {
        of.admit(bytes)
      } catch {
        isOverQuota = true
      }
    },
  )
  const { size, sha256, head } = inspected.result()
  const name = lineOf(given.replaceAll(/[/\\]/g, ' '), 200) ?? 'file'
  const type = mediaTypeOf(name, head)
  const fault = isOverQuota ? { code: 'fileFailed' as const } : faultOf(question, { size, type })
  const refused = fault ?? (await of.budget.count(size))
  if (refused !== null) {
    await file.discard()
    return { bytes: size, refused: { question: code, ...refused } }
  }
  return { bytes: size, file: { question: code, name, storedAs, type, size, sha256, file } }
}

function faultOf(question: QuestionOf<'file'>, { size, type }: { size: number; type: string }): Fault | null {
  if (size > MAX_FORM_FILE_BYTES) return { code: 'fileTooLarge', fill: MAX_FORM_FILE_MB }
  if (size === 0) return { code: 'fileFailed' }
  return acceptedTypes(question).includes(type) ? null : { code: 'fileType' }
}

/** Reads a file to its end without keeping it. */
async function drain(stream: Readable): Promise<number> {
  let bytes = 0
  for await (const part of stream) bytes += Buffer.from(part).length
  return bytes
}
