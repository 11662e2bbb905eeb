import { crc32, deflateRawSync } from 'node:zlib'

const NAMESPACE = 'http://schemas.openxmlformats.org'
const SHEETS = `${NAMESPACE}/spreadsheetml/2006/main`
const RELATIONS = `${NAMESPACE}/officeDocument/2006/relationships`

/** A workbook of one cell with this many shared strings, which a reader has to go through before it sees the sheet. */
export function workbookWithStrings(count: number): Buffer {
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const relations = (inner: string): string =>
    `<Relationships xmlns="${NAMESPACE}/package/2006/relationships">${inner}</Relationships>`
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${NAMESPACE}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>`,
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${SHEETS}" xmlns:r="${RELATIONS}"><sheets><sheet name="Bills" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation('r1', 'worksheet', 'worksheets/sheet1.xml') +
        relation('r2', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/sharedStrings.xml': `<sst xmlns="${SHEETS}">${'<si><t>a</t></si>'.repeat(count)}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEETS}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`,
  })
}

/** A ZIP file. PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const entry = Buffer.concat([signature(0x04034b50), common, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    const central = Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), common, place])
    directory.push(Buffer.concat([central, Buffer.from(name)]))
    parts.push(entry)
    at += entry.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(index.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, index, signature(0x06054b50), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
