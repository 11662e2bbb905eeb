import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import {
  questionnaireFiles,
  QuestionnaireImport,
} from '#contract/questionnaires/import/questionnaire-files.ts'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { fresh } from '#test/factories/fresh.ts'
import { multipart } from '#test/harness/multipart.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization

beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const download = (url: string) =>
  forecourt.app.inject({ url, headers: { authorization: `Bearer ${admin.token}` } })

/** Sends a file as a browser does. */
async function read(name: string, bytes: string | Buffer) {
  const { payload, headers } = multipart({}, [{ name, bytes }])
  const { statusCode, body } = await forecourt.app.inject({
    method: 'POST',
    url: questionnaireFiles.read.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${admin.token}` },
  })
  const { data, message } = z
    .object({ data: z.unknown(), message: z.string().nullable() })
    .parse(JSON.parse(body))
  return { status: statusCode, message, data: QuestionnaireImport.safeParse(data).data ?? null }
}

test('an exported questionnaire is imported again without any loss', async () => {
  const { id, name, version } = await ford.addQuestionnaire()
  const { statusCode, headers, rawPayload } = await download(
    `/api/assessments/export-questionnaire/${id}?number=1`,
  )
  expect(statusCode).toBe(200)
  expect(headers['content-disposition']).toContain('-v1.json')
  const { status, data } = await read('export.json', rawPayload)
  expect({ status, kind: data?.kind, name: data?.name, notes: data?.notes }).toEqual({
    status: 200,
    kind: 'forecourt',
    name,
    notes: [],
  })
  if (data === null) throw new Error('It was not read.')
  const key = fresh('imported')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const copy = await admin.call(questionnaires.add, {
    name: fresh('Imported'),
    key,
    draft: data.draft,
    scoring: data.scoring,
  })
  const original = await admin.call(questionnaires.get, { id })
  expect({ draft: copy.draft, scoring: copy.scoring }).toEqual({
    draft: original.draft,
    scoring: original.scoring,
  })
  expect(version).toBe(original.version)
})

test('an XLSForm is parsed in the thread for spreadsheets, and what is left out is reported by line', async () => {
  const book = await writeXlsx({
    sheets: [
      {
        name: 'survey',
        rows: [
          ['type', 'name', 'label', 'relevant'],
          ['select_one yn', 'open', 'Is it open?', ''],
          ['integer', 'staff', 'Employees', "${open} = 'yes'"],
          ['geopoint', 'where', 'Where?', ''],
        ],
      },
      {
        name: 'choices',
        rows: [
          ['list_name', 'name', 'label'],
          ['yn', 'yes', 'Yes'],
          ['yn', 'no', 'No'],
        ],
      },
    ],
  })
  const { status, data } = await read('Site survey.xlsx', Buffer.from(book))
  expect(status).toBe(200)
  expect(data).toMatchObject({ kind: 'xlsform', name: 'Site survey', key: 'site-survey' })
  expect(data?.draft.sections[0]?.questions).toMatchObject([
    { code: 'open', type: 'single' },
    { code: 'staff', visibleIf: 'open == "yes"' },
  ])
  expect(data?.notes).toEqual([
    { place: 'survey, line 4', message: "Questions of the type geopoint can't be imported." },
  ])
})

test.for<[string, string | Buffer, string]>([
  ['text', 'hello', 'This file is neither JSON nor a workbook (XLSX).'],
  [
    'JSON of something else',
    '{"a": 1}',
    "This file isn't a Forecourt questionnaire, a SurveyJS survey or an XLSForm.",
  ],
  [
    'a broken workbook',
    Buffer.from('PK\u0003\u0004 and no more'),
    "This workbook can't be read. Save it as XLSX or CSV again.",
  ],
  [
    'a wrong question',
    JSON.stringify({
      format: 'forecourt-questionnaire',
      version: 1,
      name: 'A',
      key: 'a',
      definition: {
        languages: ['en'],
        sections: [{ id: 's', title: {}, questions: [{ type: 'number', code: 'x', title: {}, min: 'ten' }] }],
      },
      scoring: {},
    }),
    'Question x, min: Enter a number in plain digits, like 1500 or 0.25.',
  ],
])('%s is refused with its place', async ([, bytes, sentence]) => {
  const { status, message } = await read('file', bytes)
  expect(status).toBe(400)
  expect(message).toContain(sentence)
})

test('a table of translations is read line by line, with umlauts and quotes', async () => {
  const { payload, headers } = multipart({}, [
    { name: 'texts.csv', bytes: '\uFEFFKey,es\r\na.b,"Dijo ""sí"", ñ"\r\n' },
  ])
  const { statusCode, body } = await forecourt.app.inject({
    method: 'POST',
    url: questionnaireFiles.readTable.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${admin.token}` },
  })
  expect(statusCode).toBe(200)
  expect(JSON.parse(body)).toMatchObject({
    data: {
      lines: [
        ['Key', 'es'],
        ['a.b', 'Dijo "sí", ñ'],
      ],
    },
  })
})

test('the PDF to print has the questions of the draft', async () => {
  const { id } = await ford.draftQuestionnaire()
  const { statusCode, headers, rawPayload } = await download(`/api/assessments/questionnaire-pdf/${id}`)
  expect({ statusCode, type: headers['content-type'], start: rawPayload.subarray(0, 5).toString() }).toEqual({
    statusCode: 200,
    type: 'application/pdf',
    start: '%PDF-',
  })
})
