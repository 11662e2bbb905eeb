import { createHash } from 'node:crypto'
import { LEAD_FILE_LIMITS, type LeadFileRefusal } from '#contract/leads/inbox/lead-files.ts'
import { mediaTypeOf } from '#server/outside/media-type.ts'
import { HEAD_BYTES } from '#server/outside/type-of-bytes.ts'
import type { MailAttachment } from './mail-parts.ts'

/** A file of an email. `content` is null if it isn't kept. */
export type MailFile = Readonly<{
  name: string
  type: string
  bytes: number
  sha256: string
  refusal: LeadFileRefusal | null
  content: Uint8Array<ArrayBuffer> | null
}>

const PROGRAMS =
  /\.(?:exe|com|bat|cmd|scr|pif|msi|msp|msc|dll|cpl|sys|jar|jse?|mjs|vbs?|vbe|wsf|wsh|wsc|ps1|psm1|sh|hta|lnk|url|reg|inf|gadget|application|apk|app|deb|rpm|dmg|pkg|iso|img|vhdx?|chm|scf|ade|adp|mde|mdb|xll|one)$/i
const ARCHIVES = /\.(?:zip|rar|7z|gz|tgz|tar|bz2|xz|cab|ace|arj|lzh|z)$/i
const MACROS = /\.(?:docm|dotm|xlsm|xltm|xlam|xlsb|pptm|potm|ppam|ppsm|sldm)$/i
/** The first bytes of programs and archives, whatever they are called. */
const PROGRAM_STARTS = [
  'MZ',
  '\u007FELF',
  '#!',
  '\u00CA\u00FE\u00BA\u00BE',
  '\u00CF\u00FA\u00ED\u00FE',
  'L\0\0\0\u0001\u0014\u0002',
]
const ARCHIVE_STARTS = ['Rar!', '7z\u00BC\u00AF', 'MSCF', 'BZh', '\u00FD7zXZ', '\u001F\u008B']

/** The files of an email, each with why it isn't kept. An ADF document is the lead itself. */
export function filesOf(
  attachments: readonly MailAttachment[],
  documents: readonly MailAttachment[],
): MailFile[] {
  const files: MailFile[] = []
  let kept = 0
  for (const attachment of attachments) {
    if (documents.includes(attachment)) continue
    const { name, bytes, start } = attachment
    const head = start(HEAD_BYTES)
    const type = mediaTypeOf(name, head)
    const refusal = kept >= LEAD_FILE_LIMITS.files ? 'tooMany' : refusalOf({ name, type, bytes, head })
    if (refusal === null) {
      kept += 1
      // A copy of its own, which can be handed over to the server.
      const content = new Uint8Array(attachment.content())
      files.push({ name, type, bytes: content.length, sha256: hashOf(content), refusal, content })
    } else files.push({ name, type, bytes, sha256: '', refusal, content: null })
  }
  return files
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

function refusalOf({
  name,
  type,
  bytes,
  head,
}: {
  name: string
  type: string
  bytes: number
  head: Buffer
}): LeadFileRefusal | null {
  if (bytes === 0) return 'empty'
  const start = head.toString('latin1')
  // A name can end with spaces and dots that some systems leave away.
  const plainName = name.replace(/[\s.]+$/, '')
  if (PROGRAMS.test(plainName) || PROGRAM_STARTS.some((one) => start.startsWith(one))) return 'program'
  if (MACROS.test(plainName)) return 'macros'
  const isArchive = ARCHIVES.test(plainName) || type === 'application/zip' || type === 'application/gzip'
  if (isArchive || ARCHIVE_STARTS.some((one) => start.startsWith(one))) return 'archive'
  return bytes > LEAD_FILE_LIMITS.bytes ? 'tooLarge' : null
}
