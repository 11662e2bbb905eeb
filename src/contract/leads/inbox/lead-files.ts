import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** What is kept of one email. */
export const LEAD_FILE_LIMITS = {
  files: 50,
  /** Of one file. */
  bytes: 25_000_000,
} as const

/** Why a file of an email isn't kept. */
export const LEAD_FILE_REFUSALS = [
  { value: 'program', label: 'a program or script' },
  { value: 'archive', label: 'an archive' },
  { value: 'macros', label: 'a document with macros' },
  { value: 'tooLarge', label: `larger than ${LEAD_FILE_LIMITS.bytes / 1_000_000} MB` },
  { value: 'tooMany', label: `more than ${LEAD_FILE_LIMITS.files} files` },
  { value: 'storageFull', label: 'the storage limit is reached' },
  { value: 'empty', label: 'empty' },
] as const
const REFUSAL_CODES = LEAD_FILE_REFUSALS.map(({ value }) => value)
export type LeadFileRefusal = (typeof REFUSAL_CODES)[number]

/** A file that came with an email of the buyer, or for them. */
export const LeadFile = z.object({
  id: z.string(),
  name: z.string(),
  /** The media type, by content. */
  type: z.string(),
  bytes: z.number().int(),
  /** Null: it can be downloaded. */
  refusal: z.enum(REFUSAL_CODES).nullable(),
})
export type LeadFile = z.infer<typeof LeadFile>

const reasonOf = (refusal: LeadFileRefusal): string =>
  LEAD_FILE_REFUSALS.find(({ value }) => value === refusal)?.label ?? refusal

/** "setup.exe (a program or script)". */
export const refusalText = ({ name, refusal }: Pick<LeadFile, 'name' | 'refusal'>): string =>
  refusal === null ? name : `${name} (${reasonOf(refusal)})`

type Named = readonly Pick<LeadFile, 'name' | 'refusal'>[]
/** More names would hide the rest. */
const MOST_NAMED = 10

/** What became of the files of an email; null if it had none. */
export function filesText(files: Named): string | null {
  const kept = files.filter(({ refusal }) => refusal === null).map(({ name }) => name)
  const parts = [kept.length === 0 ? null : `${listed(kept)}.`, refusedText(files)]
  return parts.filter((part) => part !== null).join(' ') || null
}

/** Which files weren't kept, and why; null if all were. */
export function refusedText(files: Named): string | null {
  const refused = files.filter(({ refusal }) => refusal !== null).map(refusalText)
  return refused.length === 0 ? null : `Not kept: ${listed(refused)}.`
}

const listed = (words: readonly string[]): string =>
  words.length <= MOST_NAMED
    ? words.join(', ')
    : `${words.slice(0, MOST_NAMED).join(', ')} and ${words.length - MOST_NAMED} more`

/** Files of the emails of leads. */
export const leadFiles = {
  download: endpoint({
    method: 'GET',
    path: '/api/customers/get-lead-file/{id}',
    kind: 'download',
    allow: can(Func.leads, Opr.read),
    summary:
      'Downloads a file that came with an email of a lead. It may contain anything: it is sent as an attachment and never shown in the product.',
    input: z.strictObject({ id: Id }),
  }),
}
