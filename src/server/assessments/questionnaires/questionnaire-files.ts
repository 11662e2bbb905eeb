import {
  ImportFault,
  type ImportedQuestionnaire,
} from '#contract/assessments/questionnaires/import/imported.ts'
import { isOwnFile, readOwnFile } from '#contract/assessments/questionnaires/import/read-own-file.ts'
import { isSurveyJs, readSurveyJs } from '#contract/assessments/questionnaires/import/read-surveyjs.ts'
import { isXlsForm, readXlsForm } from '#contract/assessments/questionnaires/import/read-xlsform.ts'
import {
  MAX_IMPORT_BYTES,
  type questionnaireFiles,
  type QuestionnaireImport,
} from '#contract/assessments/questionnaires/questionnaire-files.ts'
import {
  QUESTIONNAIRE_FORMAT,
  type QuestionnaireFile,
} from '#contract/assessments/questionnaires/questionnaire-file.ts'
import type { ScoredDefinition } from '#contract/questions/scores/compare-scoring.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { Download, type Upload } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readSpreadsheet, wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import { hasTooManyValues, JSON_REFUSALS } from '#server/threads/parse-json.ts'
import type { MakePdf } from '../participants/answers-document.ts'
import { questionnaireDocument } from './questionnaire-document.ts'
import { readQuestionnaire, readVersion } from './questionnaires.ts'

/** Questionnaires as files: export, printing, and reading files of this product and of others. */
export const questionnaireFileHandlers = ({
  pdfOf,
}: {
  pdfOf: MakePdf
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

  async pdf({ inTenant, input: { language, ...chosen } }) {
    const { name, key, content } = await inTenant((db) => readContent(db, chosen))
    return new Download({
      name: `${key}.pdf`,
      type: 'application/pdf',
      body: await pdfOf(questionnaireDocument(name, content.definition, language)),
    })
  },

  async read({ actor, files }) {
    const { name, bytes } = await readBytes(files)
    return readFile(name, bytes, actor.customerId)
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
async function readBytes(files: Upload): Promise<{ name: string; bytes: Buffer }> {
  let read: { name: string; bytes: Buffer } | null = null
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
    read = { name, bytes: Buffer.concat(parts) }
  }
  if (read === null) throw wrongFile('Choose a file.')
  return read
}

/** @throws Failure 400 with the place of each error */
async function readFile(fileName: string, bytes: Buffer, customerId: string): Promise<QuestionnaireImport> {
  const name =
    fileName
      .toWellFormed()
      .replace(/\.[^.]*$/, '')
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 100) || 'Questionnaire'
  try {
    // Workbooks are ZIP archives. They are unpacked and parsed in a thread with limits.
    if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
      const sheets = await readSpreadsheet(oneByOne(bytes), { customerId, maxBytes: MAX_IMPORT_BYTES })
      if (!isXlsForm(sheets))
        throw new ImportFault("This workbook isn't an XLSForm: it has no sheet “survey”.")
      return completed('xlsform', readXlsForm(sheets, name))
    }
    const json = parseJson(bytes)
    if (isOwnFile(json)) return completed('forecourt', readOwnFile(json))
    if (isSurveyJs(json)) return completed('surveyjs', readSurveyJs(json, name))
    throw new ImportFault("This file isn't a Forecourt questionnaire, a SurveyJS survey or an XLSForm.")
  } catch (error) {
    if (error instanceof ImportFault) throw wrongFile(error.message)
    throw error
  }
}

async function* oneByOne(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** @throws ImportFault with the line */
function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (hasTooManyValues(text)) throw new ImportFault(JSON_REFUSALS['large json'])
  try {
    return JSON.parse(text)
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const line = at === undefined ? null : text.slice(0, Number(at)).split('\n').length
    throw new ImportFault(
      `This file is neither JSON nor a workbook (XLSX).${line === null ? '' : ` Line ${line} can't be read.`}`,
    )
  }
}

function completed(
  kind: QuestionnaireImport['kind'],
  { notes, name, ...read }: ImportedQuestionnaire & { key?: string },
): QuestionnaireImport {
  const { key = keyOf(name), draft, scoring } = read
  return { kind, name, key, draft, scoring, notes: [...notes] }
}

/** "Site check 2027" becomes `site-check-2027`. */
function keyOf(name: string): string {
  const key = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
  return key === '' ? 'questionnaire' : key
}
