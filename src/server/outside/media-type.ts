import { typeOfBytes } from './type-of-bytes.ts'

/** Office files are ZIP archives whose first entry has one of these names. Their kind is in the file's name only. */
const PACKAGES: Readonly<Record<string, { entry: RegExp; type: string }>> = {
  xlsx: {
    entry: /^(\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/)/,
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  docx: {
    entry: /^(\[Content_Types\]\.xml|_rels\/|docProps\/|word\/)/,
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  ods: { entry: /^mimetype/, type: 'application/vnd.oasis.opendocument.spreadsheet' },
  odt: { entry: /^mimetype/, type: 'application/vnd.oasis.opendocument.text' },
}
/** Where the name of the first entry of a ZIP archive starts. */
const ENTRY_NAME = 30

/**
 * The media type of a file by its first bytes. The extension only tells apart what has the same bytes: kinds of Office files, and
 * CSV from other text. Anything else keeps the type of its content, whatever its name says.
 */
export function mediaTypeOf(name: string, head: Buffer): string {
  const type = typeOfBytes(head)
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (type === 'text/plain') return extension === 'csv' ? 'text/csv' : type
  const office = Object.hasOwn(PACKAGES, extension) ? PACKAGES[extension] : undefined
  if (type !== 'application/zip' || office === undefined) return type
  return office.entry.test(head.subarray(ENTRY_NAME, ENTRY_NAME + 40).toString('latin1')) ? office.type : type
}
