import { z } from 'zod'

/** The longest name in characters, and in bytes, which file systems count. */
const NAME_LENGTH = 200
const NAME_BYTES = 240
const PATH_LENGTH = 900
const PATH_DEPTH = 30

// Characters with a meaning to some file systems, and control characters.
const UNUSABLE = /[/\\:*?"<>|\p{Cc}\p{Zl}\p{Zp}\p{Cn}]/u
// Invisible characters: they make two names look the same, or reverse one. Joiners are allowed, because some scripts need them.
const UNSEEN = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/u
const OF_WINDOWS = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i

/**
 * Describes what is wrong with a file or folder name; null if it is valid. All scripts are allowed.
 * @param name in Unicode's composed form (NFC).
 */
export function faultOfName(name: string): string | null {
  if (name === '') return 'Name is required.'
  if (name.length > NAME_LENGTH || bytesOf(name) > NAME_BYTES) {
    return `A name can have at most ${NAME_LENGTH} characters.`
  }
  if (!name.isWellFormed() || UNUSABLE.test(name)) {
    return `A name can't contain / \\ : * ? " < > | or control characters.`
  }
  if (/^[\s.]|[\s.]$/u.test(name)) return "A name can't begin or end with a period or a space."
  // Full-width and small forms that some systems treat as the character itself.
  if (UNSEEN.test(name) || /[/\\]|^\.+$/.test(name.normalize('NFKC'))) {
    return 'This name contains invisible or look-alike characters. Remove them.'
  }
  return OF_WINDOWS.test(name) ? 'Windows reserves this name. Choose another.' : null
}

/** In UTF-8. */
function bytesOf(text: string): number {
  return Array.from(text, (sign) => sign.codePointAt(0) ?? 0).reduce((sum, code) => {
    if (code < 0x80) return sum + 1
    if (code < 0x800) return sum + 2
    return sum + (code < 0x10000 ? 3 : 4)
  }, 0)
}

/**
 * Specification section 5: every run of non-alphanumeric characters becomes one space. Letters and digits of all scripts
 * count, with their accents. The result can be empty.
 */
export function folderNameOf(typed: string): string {
  return typed
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH)
    .trim()
}

/**
 * Splits a path into its segments, from the top. A slash at either end is ignored.
 * @returns `fault`, an error message, if a segment is invalid.
 */
export function readPath(path: string): { names: readonly string[] } | { fault: string } {
  if (path.length > PATH_LENGTH) return { fault: `A path can have at most ${PATH_LENGTH} characters.` }
  const inside = path.normalize('NFC').replace(/^\/|\/$/g, '')
  const names = inside === '' ? [] : inside.split('/')
  if (names.length > PATH_DEPTH) return { fault: `A path can have at most ${PATH_DEPTH} folders.` }
  const fault = names.map(faultOfName).find((one) => one !== null)
  return fault === undefined ? { names } : { fault: `This isn't a valid path. ${fault}` }
}

const Path = z.string('Path must be text.').transform((path, context) => {
  const read = readPath(path)
  if ('names' in read) return read.names
  context.addIssue({ code: 'custom', message: read.fault })
  return z.NEVER
})

/** A path as its segments; the root if omitted. */
export const FolderPath = Path.optional().default([])
/** A path below the root. */
export const ItemPath = Path.refine((names) => names.length > 0, 'Choose a file or folder.')

export const FileName = z
  .string('Name must be text.')
  .transform((name) => name.normalize('NFC').trim())
  .refine((name) => faultOfName(name) === null, { error: ({ input }) => faultOfName(String(input)) ?? '' })

export const FolderName = z
  .string('Name must be text.')
  .max(1_000, 'A name can have at most 1000 characters.')
  .transform(folderNameOf)
  .refine(
    (name) => name !== '' && faultOfName(name) === null,
    'A folder name needs at least one letter or digit.',
  )

/** Follows Azure's naming rule. Each container is a separate area within a customer's storage. */
export const Container = z
  .string('Container must be text.')
  .regex(
    /^[a-z0-9](-?[a-z0-9]){2,62}$/,
    'Container must be 3 to 63 lowercase letters, digits and single hyphens.',
  )
