import { trimmed } from '#contract/trimmed.ts'
import type { FileAnswer } from '../answers.ts'
import type { QuestionOf } from '../definition.ts'
import { readEmail, readPhone, readPostalCode } from './formats.ts'
import { MAX_FILE_BYTES, MAX_FILES, MAX_LINE } from '../limits.ts'
import type { ProblemCode } from '../problem-messages.ts'
import { readText } from './read-plain.ts'
import { COUNTRIES, type Country, type FILE_KINDS } from '../vocabulary.ts'
import { flaw, hasOnly, isRecord, type Flaw, type Reading } from './reading.ts'

type Part = { value: string | null } | { flaw: Flaw }

/** One part of an address or person, with the format that it must have. */
function readPart(
  value: Record<string, unknown>,
  column: string,
  format?: { code: ProblemCode; read: (text: string) => string | null },
): Part {
  const given = Object.hasOwn(value, column) ? value[column] : undefined
  const line = given === undefined || given === null ? null : readText(given, MAX_LINE, {})
  if (line === null) return { value: null }
  if ('flaws' in line) return { flaw: { code: 'wrongType', ...line.flaws[0], column } }
  const text = typeof line.value === 'string' ? line.value : ''
  if (format === undefined) return { value: text }
  const written = format.read(text)
  return written === null ? { flaw: { code: format.code, column } } : { value: written }
}

/** An address of which any part may be missing. Its country is a code; the postal code must fit it. */
export function readAddress(
  value: unknown,
  question: QuestionOf<'address'>,
  country: Country | undefined,
): Reading {
  const names = ['street', 'city', 'region', 'postalCode', 'country'] as const
  if (!isRecord(value) || !hasOnly(value, names)) return flaw('wrongType')
  const code = (text: string) => (/^[a-z]{2}$/i.test(text) ? text.toUpperCase() : null)
  const own = readPart(value, 'country', { code: 'country', read: code })
  const named = 'value' in own ? own.value : null
  const known = named === null ? (question.country ?? country) : COUNTRIES.find((one) => one === named)
  const parts = names.map((name): [typeof name, Part] => {
    if (name === 'country') return [name, own]
    if (name !== 'postalCode') return [name, readPart(value, name)]
    return [name, readPart(value, name, { code: name, read: (text) => readPostalCode(text, known) })]
  })
  return collect(parts)
}

/** A person: a name, and what is known of their role, email address and phone number. */
export function readPerson(value: unknown, country: Country | undefined): Reading {
  const names = ['name', 'role', 'email', 'phone'] as const
  if (!isRecord(value) || !hasOnly(value, names)) return flaw('wrongType')
  const parts = names.map((name): [typeof name, Part] => {
    if (name === 'email') return [name, readPart(value, name, { code: name, read: readEmail })]
    if (name === 'phone')
      return [name, readPart(value, name, { code: name, read: (text) => readPhone(text, country) })]
    return [name, readPart(value, name)]
  })
  const read = collect(parts)
  const hasName = read === null || 'flaws' in read || (isRecord(read.value) && 'name' in read.value)
  return hasName ? read : { flaws: [{ code: 'nameRequired', column: 'name' }] }
}

function collect(parts: readonly (readonly [string, Part])[]): Reading {
  const flaws = parts.flatMap(([, part]) => ('flaw' in part ? [part.flaw] : []))
  if (flaws.length > 0) return { flaws }
  const values = parts.flatMap(([name, part]): [string, string][] =>
    'value' in part && part.value !== null ? [[name, part.value]] : [],
  )
  return values.length === 0 ? null : { value: Object.fromEntries(values) }
}

/** Media types by kind of file. */
const MEDIA_TYPES: Record<(typeof FILE_KINDS)[number], readonly string[]> = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/heic', 'image/avif'],
  pdf: ['application/pdf'],
  spreadsheet: [
    'text/csv',
    'application/vnd.ms-excel',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.oasis.opendocument.spreadsheet',
  ],
  document: [
    'text/plain',
    'application/msword',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.oasis.opendocument.text',
  ],
}

/** The media types that a question accepts: all known ones if it names no kinds. */
export function acceptedTypes({ accept }: QuestionOf<'file'>): readonly string[] {
  const kinds =
    accept === undefined || accept.length === 0
      ? Object.values(MEDIA_TYPES)
      : accept.map((kind) => MEDIA_TYPES[kind])
  return kinds.flat()
}

/** Stored files. Whether they exist, and are the sender's, is the server's to check. */
export function readFiles(value: unknown, question: QuestionOf<'file'>): Reading {
  if (!Array.isArray(value)) return flaw('wrongType')
  if (value.length === 0) return null
  const most = Math.min(question.maxFiles ?? MAX_FILES, MAX_FILES)
  if (value.length > most) return flaw('tooManyFiles', most)
  const types = acceptedTypes(question)
  const flaws: Flaw[] = []
  const files: FileAnswer[] = []
  for (const [row, one] of value.entries()) {
    const file = readFile(one)
    if (file === null) return { flaws: [{ code: 'wrongType', row }] }
    if (!types.includes(file.mediaType)) flaws.push({ code: 'fileType', row })
    else if (file.bytes > MAX_FILE_BYTES)
      flaws.push({ code: 'fileTooLarge', fill: MAX_FILE_BYTES / 2 ** 20, row })
    files.push(file)
  }
  if (new Set(files.map(({ id }) => id)).size < files.length) return flaw('wrongType')
  return flaws.length > 0 ? { flaws } : { value: files }
}

function readFile(value: unknown): FileAnswer | null {
  if (!isRecord(value) || !hasOnly(value, ['id', 'name', 'bytes', 'mediaType'])) return null
  const { id, name, bytes, mediaType } = value
  const isNamed =
    typeof name === 'string' && trimmed(name) !== '' && name.length <= MAX_LINE && name.isWellFormed()
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id) || !isNamed) return null
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return null
  return typeof mediaType === 'string' ? { id, name, bytes, mediaType } : null
}
