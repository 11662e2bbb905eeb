import { z } from 'zod'

/** Longest name in characters and, because disks count those, in bytes. */
const NAME_LENGTH = 200
const NAME_BYTES = 240
const PATH_LENGTH = 900
const PATH_DEPTH = 30

// Signs with a meaning to some file system, and control characters.
const UNUSABLE = /[/\\:*?"<>|\p{Cc}\p{Zl}\p{Zp}\p{Cn}]/u
// What nobody sees: it makes two names look the same, or turns one around. Joiners stay, scripts need them.
const UNSEEN = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/u
const OF_WINDOWS = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i

/**
 * What is wrong with the name of a file or folder, as a sentence; null when nothing is. Every script may be used.
 * @param name in Unicode's composed form (NFC).
 */
export function faultOfName(name: string): string | null {
  if (name === '') return 'A name is required.'
  if (name.length > NAME_LENGTH || bytesOf(name) > NAME_BYTES) {
    return `A name may have at most ${NAME_LENGTH} characters.`
  }
  if (!name.isWellFormed() || UNUSABLE.test(name)) {
    return 'A name may not have / \\ : * ? " < > | or control characters.'
  }
  // Wide and small forms that some systems take for the sign itself.
  if (UNSEEN.test(name) || /[/\\]|^\.+$/.test(name.normalize('NFKC'))) {
    return 'This name has characters that cannot be told from others.'
  }
  if (/^[\s.]|[\s.]$/u.test(name)) return 'A name may not begin or end with a dot or a space.'
  return OF_WINDOWS.test(name) ? 'This name is kept by Windows for itself. Choose another.' : null
}

/** In UTF-8, as disks count. */
function bytesOf(text: string): number {
  return Array.from(text, (sign) => sign.codePointAt(0) ?? 0).reduce((sum, code) => {
    if (code < 0x80) return sum + 1
    if (code < 0x800) return sum + 2
    return sum + (code < 0x10000 ? 3 : 4)
  }, 0)
}

/** Specification section 5: every run of other signs than letters and digits becomes one space. May leave nothing. */
export function folderNameOf(typed: string): string {
  return typed
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, NAME_LENGTH)
    .trim()
}

/**
 * The names on the way to a file or folder, the first at the top. A slash at either end means nothing.
 * @returns a sentence where one of them is not usable.
 */
export function readPath(path: string): { names: readonly string[] } | { fault: string } {
  if (path.length > PATH_LENGTH) return { fault: `A path may have at most ${PATH_LENGTH} characters.` }
  const inside = path.normalize('NFC').replace(/^\/|\/$/g, '')
  const names = inside === '' ? [] : inside.split('/')
  if (names.length > PATH_DEPTH) return { fault: `A path may have at most ${PATH_DEPTH} folders.` }
  const fault = names.map(faultOfName).find((one) => one !== null)
  return fault === undefined ? { names } : { fault: `This is no path of a file or folder. ${fault}` }
}

const Path = z.string('A path must be text.').transform((path, context) => {
  const read = readPath(path)
  if ('names' in read) return read.names
  context.addIssue({ code: 'custom', message: read.fault })
  return z.NEVER
})

/** A path as its names; the place itself where it is not given. */
export const FolderPath = Path.optional().default([])
/** A path that leads somewhere below the place itself. */
export const ItemPath = Path.refine((names) => names.length > 0, 'Name a file or a folder.')

export const FileName = z
  .string('A name must be text.')
  .transform((name) => name.normalize('NFC').trim())
  .refine((name) => faultOfName(name) === null, { error: ({ input }) => faultOfName(String(input)) ?? '' })

export const FolderName = z
  .string('A name must be text.')
  .max(1_000, 'A name may have at most 1000 characters.')
  .transform(folderNameOf)
  .refine(
    (name) => name !== '' && faultOfName(name) === null,
    'The name of a folder needs letters or digits from A to Z and 0 to 9.',
  )
