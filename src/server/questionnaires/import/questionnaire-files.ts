import {
  MAX_IMPORT_BYTES,
  type questionnaireFiles,
} from '#contract/questionnaires/import/questionnaire-files.ts'
import {
  QUESTIONNAIRE_FORMAT,
  type QuestionnaireFile,
} from '#contract/questionnaires/questionnaires/questionnaire-file.ts'
import type { ScoredDefinition } from '#contract/questions/scores/compare-scoring.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { Download, type Upload } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readSpreadsheet, wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import { type BoundedThread, makeBoundedThread } from '#server/threads/bounded-thread.ts'
import type { MakePdf } from '#server/printed-document.ts'
import type { ImportTask, ReadImport } from './import-worker.ts'
import { questionnaireDocument } from '../questionnaires/questionnaire-document.ts'
import { readQuestionnaire, readVersion } from '../questionnaires/questionnaires.ts'

/** Reads files of other products. */
type ImportThread = BoundedThread<ImportTask, ReadImport>

/** A workbook of 5 MB needs about 300. */
const IMPORT_HEAP_MB = 512
/** Each may take the whole time, while other customers wait. */
const MOST_WAITING = 2

export const makeImportThread = (): ImportThread =>
  makeBoundedThread(new URL('./import-worker.ts', import.meta.url), {
    heapMb: IMPORT_HEAP_MB,
    mostWaiting: MOST_WAITING,
  })

/** Questionnaires as files: export, printing, and reading files of this product and of others. */
export const questionnaireFileHandlers = ({
  pdfOf,
  importThread,
}: {
  pdfOf: MakePdf
  importThread: ImportThread
}): Handlers<typeof questionnaireFiles> => ({
  async export({ inTenant, input }) {
    const { name, key, content } = await inTenant((db) => readContent(db, input))
    const file: QuestionnaireFile = {
      format: QUESTIONNAIRE_FORMAT,
      version: 1,
      name,
      key,
      definition: content.definition,
      scoring: content.scoring,
    }
    return new Download({
      name: `${key}${input.number === undefined ? '' : `-v${input.number}`}.json`,
      type: 'application/json',
      body: Buffer.from(`${JSON.stringify(file, null, 2)}\n`),
    })
  },

  async pdf({ actor, inTenant, input: { language, ...chosen } }) {
    const { name, key, content } = await inTenant((db) => readContent(db, chosen))
    return new Download({
      name: `${key}.pdf`,
      type: 'application/pdf',
      body: await pdfOf(questionnaireDocument(name, content.definition, language), actor.customerId),
    })
  },

  async read({ actor, files }) {
    const { name, bytes } = await readBytes(files)
    const task = { bytes, name: nameOf(name) }
    const ended = await importThread.run(actor.customerId, task, [bytes.buffer])
    if (ended.kind === 'limits') throw wrongFile(TOO_MUCH)
    if (ended.kind === 'failed') throw new Error('The thread that reads questionnaires ended.')
    if (ended.result.kind === 'refused') throw wrongFile(ended.result.message)
    return ended.result.import
  },

  async readTable({ actor, files }) {
    const { bytes } = await readBytes(files)
    const sheets = await readSpreadsheet(oneByOne(bytes), {
      customerId: actor.customerId,
      maxBytes: MAX_IMPORT_BYTES,
    })
    const filled = sheets.find(({ lines }) => lines.length > 0)
    if (filled === undefined) throw wrongFile('The file is empty.')
    return { lines: filled.lines.map((cells) => [...cells]) }
  },
})

/** @throws Failure 404 */
async function readContent(
  db: Database,
  { id, number }: { id: string; number?: number | undefined },
): Promise<{ name: string; key: string; content: ScoredDefinition }> {
  const { name, key, draft, scoring } = await readQuestionnaire(db, id)
  if (number === undefined) return { name, key, content: { definition: draft, scoring } }
  return { name, key, content: await readVersion(db, id, number) }
}

/** @throws Failure 400 without a file, or if it is too large */
async function readBytes(files: Upload): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  let read: { name: string; bytes: Uint8Array<ArrayBuffer> } | null = null
  for await (const { name, stream } of files) {
    if (read !== null) throw wrongFile('Upload one file at a time.')
    const parts: Buffer[] = []
    let size = 0
    for await (const part of stream) {
      if (!Buffer.isBuffer(part)) continue
      size += part.length
      if (size > MAX_IMPORT_BYTES) throw wrongFile('The file is too large. The limit is 5 MB.')
      parts.push(part)
    }
    // A copy with a buffer of its own, which a thread can take.
    read = { name, bytes: new Uint8Array(Buffer.concat(parts)) }
  }
  if (read === null) throw wrongFile('Choose a file.')
  return read
}

const TOO_MUCH = "Reading this file takes too much time or memory. Remove what you don't need, or split it."

/** The name of a file without its ending, for a questionnaire that has no name of its own. */
function nameOf(fileName: string): string {
  const name = fileName
    .toWellFormed()
    .replace(/\.[^.]*$/, '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
  return name.slice(0, 100) || 'Questionnaire'
}

async function* oneByOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
