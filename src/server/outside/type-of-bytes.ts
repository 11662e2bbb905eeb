/** The number of bytes needed to detect a file's type. */
export const HEAD_BYTES = 1024

type Signature = { at: number; bytes: string; type: string }

const SIGNATURES: readonly Signature[] = [
  { at: 0, bytes: '\x89PNG\r\n\x1A\n', type: 'image/png' },
  { at: 0, bytes: '\xFF\xD8\xFF', type: 'image/jpeg' },
  { at: 0, bytes: 'GIF87a', type: 'image/gif' },
  { at: 0, bytes: 'GIF89a', type: 'image/gif' },
  { at: 0, bytes: '\x00\x00\x01\x00', type: 'image/x-icon' },
  { at: 8, bytes: 'WEBP', type: 'image/webp' },
  { at: 4, bytes: 'ftypavif', type: 'image/avif' },
  { at: 4, bytes: 'ftypheic', type: 'image/heic' },
  { at: 4, bytes: 'ftyp', type: 'video/mp4' },
  { at: 0, bytes: '\x1A\x45\xDF\xA3', type: 'video/webm' },
  { at: 0, bytes: 'ID3', type: 'audio/mpeg' },
  { at: 0, bytes: 'OggS', type: 'audio/ogg' },
  { at: 0, bytes: '%PDF-', type: 'application/pdf' },
  { at: 0, bytes: 'PK\x03\x04', type: 'application/zip' },
  { at: 0, bytes: '\x1F\x8B', type: 'application/gzip' },
  { at: 0, bytes: 'MZ', type: 'application/vnd.microsoft.portable-executable' },
]

const UNKNOWN = 'application/octet-stream'

/** The media type of a file from its first bytes. Neither its name nor the sender's claim is trusted. */
export function typeOfBytes(head: Uint8Array): string {
  const start = Buffer.from(head.subarray(0, HEAD_BYTES))
  const signed = SIGNATURES.find(
    ({ at, bytes }) => start.subarray(at, at + bytes.length).toString('latin1') === bytes,
  )
  if (signed !== undefined) return signed.type
  const text = readText(start)
  return text === null ? UNKNOWN : typeOfText(text)
}

function typeOfText(text: string): string {
  const markup = text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .toLowerCase()
  if (!markup.startsWith('<')) return 'text/plain'
  if (/<svg[\s>]/.test(markup)) return 'image/svg+xml'
  if (/<(!doctype html|html|head|body|script|iframe|a|p|div|h1|style|title)[\s>]/.test(markup))
    return 'text/html'
  return markup.startsWith('<?xml') ? 'application/xml' : 'text/plain'
}

/** Null if the bytes are not text. The last character may be incomplete. */
function readText(bytes: Buffer): string | null {
  if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}
