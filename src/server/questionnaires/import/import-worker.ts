// Runs in a thread with limited memory and time, so that no file can block the server.
import { parentPort } from 'node:worker_threads'
import { ImportFault, type ImportedQuestionnaire } from '#contract/questionnaires/import/imported.ts'
import { isOwnFile, readOwnFile } from '#contract/questionnaires/import/read-own-file.ts'
import { isSurveyJs, readSurveyJs } from '#contract/questionnaires/import/read-surveyjs.ts'
import { isXlsForm, readXlsForm } from '#contract/questionnaires/import/read-xlsform.ts'
import type { QuestionnaireImport } from '#contract/questionnaires/import/questionnaire-files.ts'
import { parseWorkbook } from '#server/spreadsheets/parse-workbook.ts'
import { SheetRefusal } from '#server/spreadsheets/sheet.ts'
import { JSON_REFUSALS, parseJson } from '#server/threads/parse-json.ts'

/** A file, and the name for a questionnaire that has none. */
export type ImportTask = { bytes: Uint8Array<ArrayBuffer>; name: string }
/** `refused`: the file can't be read. The message says where and why. */
export type ReadImport = { kind: 'read'; import: QuestionnaireImport } | { kind: 'refused'; message: string }

parentPort?.on('message', (task: ImportTask) => {
  void readImport(task).then((read) => parentPort?.postMessage(read, []))
})

async function readImport({ bytes, name }: ImportTask): Promise<ReadImport> {
  try {
    return { kind: 'read', import: await readFile(Buffer.from(bytes.buffer), name) }
  } catch (error) {
    if (error instanceof ImportFault || error instanceof SheetRefusal)
      return { kind: 'refused', message: error.message }
    // The stack was not enough: lists in lists, or long rules.
    if (error instanceof RangeError) return { kind: 'refused', message: 'The file is nested too deeply.' }
    throw error
  }
}

async function readFile(bytes: Buffer, name: string): Promise<QuestionnaireImport> {
  // Workbooks are ZIP archives.
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    const sheets = await parseWorkbook(bytes)
    if (!isXlsForm(sheets)) throw new ImportFault("This workbook isn't an XLSForm: it has no sheet “survey”.")
    return completed('xlsform', readXlsForm(sheets, name))
  }
  const json = readJson(bytes)
  if (isOwnFile(json)) return completed('forecourt', readOwnFile(json))
  if (isSurveyJs(json)) return completed('surveyjs', readSurveyJs(json, name))
  throw new ImportFault("This file isn't a Forecourt questionnaire, a SurveyJS survey or an XLSForm.")
}

/** @throws ImportFault with the line */
function readJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const parsed = parseJson(text)
  if (parsed.kind === 'json') return parsed.value
  if (parsed.kind === 'large json') throw new ImportFault(JSON_REFUSALS['large json'])
  const line = parsed.at === null ? null : text.slice(0, parsed.at).split('\n').length
  throw new ImportFault(
    `This file is neither JSON nor a workbook (XLSX).${line === null ? '' : ` Line ${line} can't be read.`}`,
  )
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
