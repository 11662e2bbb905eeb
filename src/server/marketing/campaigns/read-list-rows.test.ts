import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { readSpreadsheet } from '#server/spreadsheets/read-spreadsheet.ts'
import { readListRows } from './read-list-rows.ts'

const OPTIONS = { dateOrder: undefined, today: '2026-12-01' } as const
const read = (lines: string[][]) => readListRows({ lines }, OPTIONS)

test(
  'a workbook of 20,500 rows is read, with its dates and a title above the header',
  { timeout: 60_000 },
  async () => {
    const people = Array.from({ length: 20_500 }, (_, n) => [
      `Person ${n}`,
      `person${n}@mail.example`,
      'Sign-up form',
      new Date('2025-03-11T00:00:00Z'),
    ])
    const rows = [['Sign-ups'], ['Full name', 'E-mail', 'Consent source', 'Consent date'], ...people]
    const book = await writeXlsx({ sheets: [{ name: 'People', rows }] })
    async function* stream() {
      yield book
    }
    const [sheet] = await readSpreadsheet(stream(), {
      customerId: 'list',
      maxBytes: 30_000_000,
      isLongList: true,
    })
    const list = readListRows(sheet ?? { lines: [] }, OPTIONS)
    expect([list.total, list.invalid, list.duplicates, list.problems]).toEqual([20_500, 0, 0, []])
    expect(list.rows[0]).toEqual({
      row: 3,
      email: 'person0@mail.example',
      name: 'Person 0',
      firstName: null,
      lastName: null,
      source: 'Sign-up form',
      on: '2025-03-11',
    })
  },
)

test('a later row with the same address can have the proof that the first one lacks', () => {
  const { rows, duplicates } = read([
    ['Email', 'Consent source', 'Consent date'],
    ['ana@mail.example', '', ''],
    ['ANA@mail.example', 'Form', '31.01.2025'],
  ])
  expect([rows.length, duplicates, rows[0]?.row, rows[0]?.on]).toEqual([1, 1, 2, '2025-01-31'])
})

test('a column named Source or Date is used only if there is none for the consent', () => {
  const { rows, problems } = read([
    ['Email', 'Source', 'Consent source', 'Date', 'Consent date'],
    ['ana@mail.example', 'Import', 'Form', '2020-01-01', '2025-01-31'],
  ])
  expect([rows[0]?.source, rows[0]?.on]).toEqual(['Form', '2025-01-31'])
  expect(problems.map(({ text }) => text)).toEqual([
    "The column “Source” isn't used.",
    "The column “Date” isn't used.",
  ])
})

test.each(['unknown', '-', 'N/A', '?'])('"%s" is no source of consent', (text) => {
  const { rows, problems } = read([
    ['Email', 'Consent source', 'Consent date'],
    ['ana@mail.example', text, '2025-01-31'],
  ])
  expect([rows[0]?.source, problems]).toEqual([
    null,
    [{ row: 2, text: 'Names no source of consent: no proof of consent.' }],
  ])
})

const REFUSALS =
  'No|n|Opted out|unsubscribed|no consent|No.|Nein|Non|Does not agree|do not email|not given|DNC|Denied by phone|Don’t mail|Consent withdrawn'
test.each(REFUSALS.split('|'))('who says "%s" in the column of consent is left out', (no) => {
  const { rows, invalid, problems } = read([
    ['Email', 'Consent', 'Consent date'],
    ['ana@mail.example', no, '2025-01-31'],
    ['bo@mail.example', 'Form', '2025-01-31'],
  ])
  expect([rows.map(({ email }) => email), invalid]).toEqual([['bo@mail.example'], 1])
  expect(problems).toEqual([{ row: 2, text: 'Says no to emails: left out.' }])
})
