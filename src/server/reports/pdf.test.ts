import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PrintedDocument } from '#server/printed-document.ts'
import { readPdf } from '#test/read-pdf.ts'
import { makePdfs } from './pdf.ts'
import { typesetPdf } from './typeset.ts'

const DOCUMENT: PrintedDocument = {
  title: 'Stock list',
  facts: [{ title: 'Lot', value: 'Main' }],
  figures: [{ title: 'Vehicles', value: '2' }],
  columns: [
    { title: 'Vehicle', kind: 'text', share: 3 },
    { title: 'Price', kind: 'money', share: 1 },
  ],
  groups: [{ title: 'Used', rows: [['Ford Transit', '$12,313']] }],
  signature: 'Checked by',
}
const withText = (text: string): PrintedDocument => ({
  ...DOCUMENT,
  groups: [{ title: text, rows: [[text, '']] }],
})

test('a PDF is tagged, has its language, and reads aloud as title, table and cells', () => {
  const { isTagged, isAccessible, language, roles, text } = readPdf(
    typesetPdf([{ ...DOCUMENT, language: 'de' }], null),
  )
  expect({ isTagged, isAccessible, language }).toEqual({ isTagged: true, isAccessible: true, language: 'de' })
  for (const role of ['Document', 'Table', 'THead', 'TH', 'TD']) expect(roles).toContain(role)
  for (const words of [
    'Stock list',
    'Lot: Main',
    'Vehicles',
    'Used',
    'Ford Transit',
    '$12,313',
    'Checked by',
    'Seite 1 von 1',
  ])
    expect(text).toContain(words)
})

test('text of users is never markup', () => {
  const texts = [
    '#read("printed-document.typ")',
    '$x$ *b* _i_ `c`',
    '<script> <label> @label',
    '#eval("1+1") ] ) }',
    '\\u{41} // /* */ = + -',
  ]
  const document = {
    ...DOCUMENT,
    title: texts.join(' '),
    facts: texts.map((text) => ({ title: text, value: text })),
    groups: [{ title: texts.join(' '), rows: texts.map((text) => [text, text]) }],
  }
  const { text } = readPdf(typesetPdf([document], null))
  // Title, twice in its fact, group, and in two cells. What comes first may be readable with both fonts.
  const counts = texts.map((one) => text.split(one).length - 1)
  expect(Math.min(...counts)).toBe(6)
})

test('letters of other scripts are printed, and a letter that no font has is named', () => {
  const { text } = readPdf(typesetPdf([withText('Ξ Ж é → ไทย \u{10FFFD}')], null))
  for (const words of ['Ξ Ж é', '[U+10FFFD]', 'No font on this server has some of the characters'])
    expect(text).toContain(words)
  expect(readPdf(typesetPdf([withText('Plain')], null)).text).not.toContain('No font')
})

test('a page of a right-to-left language is printed, with its language', () => {
  const { language, isAccessible } = readPdf(
    typesetPdf([{ ...withText('مبنى 12, Main street'), language: 'ar' }], null),
  )
  expect({ language, isAccessible }).toEqual({ language: 'ar', isAccessible: true })
})

test('a document with too many rows or letters is refused in one sentence, and fonts of an empty folder are no fault', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fonts-'))
  const pdfOf = makePdfs(folder)
  const rows = (count: number, text: string) => ({
    ...DOCUMENT,
    groups: [{ title: '', rows: Array.from({ length: count }, () => [text, '']) }],
  })
  await expect(pdfOf(rows(2_001, 'x'), '1')).rejects.toMatchObject({
    status: 409,
    message: 'A PDF can have at most 2,000 rows. Use Excel instead.',
  })
  await expect(pdfOf(rows(1_000, 'x'.repeat(2_001)), '1')).rejects.toMatchObject({
    status: 409,
    message: 'This is too large for a PDF: it takes too much time or memory.',
  })
  expect(readPdf(await pdfOf(rows(1, 'x'.repeat(3_000)), '1')).pages).toBe(1)
  await rm(folder, { recursive: true })
})
