import { adfWarning, type AdfWarning } from '#contract/leads/adf/adf-warnings.ts'
import { AdfRefusal } from './adf-refusal.ts'

/** The encodings that a declaration may name besides UTF-8 and UTF-16. All are a superset of ASCII. */
const SINGLE_BYTE = /^(?:windows-125\d|cp125\d|iso-?8859-\d{1,2}|latin1|us-ascii|ascii|macintosh)$/i

type Decoded = { text: string; encoding: string; warnings: AdfWarning[] }

/**
 * Decodes a document: by its byte order mark, the zero bytes of UTF-16, its declaration, or else as UTF-8. Bytes that aren't
 * valid UTF-8 are Windows-1252, as many older systems send it.
 * @throws AdfRefusal if it is empty or isn't text
 */
export function decodeAdf(bytes: Uint8Array): Decoded {
  if (bytes.length === 0) throw new AdfRefusal('The document is empty.')
  const wide = wideEncoding(bytes)
  if (wide !== null) return { text: decode(bytes, wide), encoding: wide, warnings: [] }
  if (bytes.includes(0)) throw new AdfRefusal("The document isn't text: it contains zero bytes.")
  const declared = declaredEncoding(bytes)
  const isSingleByte = declared !== null && SINGLE_BYTE.test(declared)
  const utf8 = decodeUtf8(bytes)
  if (utf8 !== null) {
    const isWrong = declared !== null && !/^utf-?8$/i.test(declared) && (!isSingleByte || hasHighBytes(bytes))
    return { text: utf8, encoding: 'utf-8', warnings: isWrong ? [adfWarning('encodingWrong', declared)] : [] }
  }
  if (isSingleByte) {
    const encoding = labelOf(declared)
    return { text: decode(bytes, encoding), encoding, warnings: [] }
  }
  return {
    text: decode(bytes, 'windows-1252'),
    encoding: 'windows-1252',
    warnings: [adfWarning('encodingGuessed')],
  }
}

/** The text of bytes that are valid UTF-8; null otherwise. */
export const decodeText = (bytes: Uint8Array): string | null => (bytes.includes(0) ? null : decodeUtf8(bytes))

/** UTF-16 has a byte order mark, or a zero in most pairs of bytes, always on the same side. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const pairs = Math.min(2_000, Math.floor(bytes.length / 2))
  let first = 0
  let second = 0
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) first += 1
    if (bytes[at + 1] === 0) second += 1
  }
  if (second > pairs * 0.4 && first < pairs * 0.05) return 'utf-16le'
  return first > pairs * 0.4 && second < pairs * 0.05 ? 'utf-16be' : null
}

function declaredEncoding(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1_000))
  return /<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head)?.[1] ?? null
}

const hasHighBytes = (bytes: Uint8Array): boolean => bytes.some((byte) => byte > 0x7f)

/** The name that TextDecoder knows. It reads Latin-1 as Windows-1252, like browsers do. */
function labelOf(declared: string): string {
  return declared
    .toLowerCase()
    .replace(/^cp125/, 'windows-125')
    .replace(/^iso8859/, 'iso-8859')
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    throw new AdfRefusal(`The encoding "${encoding}" isn't supported.`)
  }
}
