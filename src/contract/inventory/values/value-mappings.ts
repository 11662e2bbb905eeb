import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Id, Instant, line, Version } from '../../fields.ts'
import { Job } from '../../jobs/jobs.ts'
import { can, Func, Opr } from '../../permissions.ts'
import { listQuery, queriedList } from '../../queried-list.ts'
import { CONDITIONS, ELECTRIFICATIONS } from '../vehicles/vehicle-choices.ts'
import { MAPPED_FIELDS, type MappedField, WORD_FIELDS } from './mapped-fields.ts'
import { VALUE_MAPPING_LIST } from './value-mapping-list.ts'

/** The most mappings that are deleted or imported at once. */
export const MOST_AT_ONCE = 5_000
/** The most different changes that one re-applying makes: the rest is there the next time. */
export const MOST_CHANGES = 2_000

const field = z.enum(MAPPED_FIELDS, 'Choose a field.')
/** Null: passed over, as if the feed had said nothing. */
export const Canonical = z.union([z.null(), line(100, 'The word')])

/** What a value of a feed becomes. */
export const ValueMapping = z.object({
  id: z.string(),
  field: z.enum(MAPPED_FIELDS),
  /** As it was written first; case and spare blanks make no difference. */
  raw: z.string(),
  /** Null: it is passed over. */
  canonical: z.string().nullable(),
  /** Null: whichever feed sends it. */
  providerMappingId: z.string().nullable(),
  providerMapping: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type ValueMapping = z.infer<typeof ValueMapping>

const values = {
  field,
  raw: line(200, 'The value'),
  canonical: Canonical,
  providerMappingId: z.union([z.null(), Id]).optional(),
}
/** A condition and an electrification are one of the product's own words. */
export const NewValueMapping = z
  .strictObject(values)
  .superRefine((given, context) => refuseWord(given, context))
export type NewValueMapping = z.input<typeof NewValueMapping>

/** What `edit-value-mapping` answered may come back whole. */
export const ValueMappingChange = z
  .strictObject({
    ...values,
    id: Id,
    version: Version,
    providerMapping: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
  })
  .superRefine((given, context) => refuseWord(given, context))
  .transform(({ providerMapping: _name, updatedAt: _at, updatedBy: _by, ...change }) => change)

/** The words a field is bound to; null where it takes any. */
export function boundWords(of: MappedField): readonly string[] | null {
  if (of === 'condition') return CONDITIONS
  return of === 'electrification' ? ELECTRIFICATIONS : null
}

/** Why a field cannot hold a word, as a sentence; null where it can. */
export function wordProblem(of: MappedField, canonical: string | null): string | null {
  const bound = boundWords(of)
  if (canonical === null || bound === null || bound.includes(canonical)) return null
  return `Choose one of ${bound.join(', ')}.`
}

function refuseWord(
  given: { field: MappedField; canonical: string | null },
  context: { addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void },
): void {
  const message = wordProblem(given.field, given.canonical)
  if (message !== null) context.addIssue({ code: 'custom', path: ['canonical'], message })
}

/** What re-applying would do. */
export const ValuePreview = z.object({
  changes: z.array(
    z.object({
      field: z.enum(WORD_FIELDS),
      from: z.string(),
      /** Null: the field is emptied. */
      to: z.string().nullable(),
      vehicles: z.number().int(),
      /** Those that keep their value, because somebody locked it. */
      locked: z.number().int(),
    }),
  ),
  /** Vehicles that become different; of one several fields may. */
  vehicles: z.number().int(),
  /** Some of them, for those who may see vehicles. */
  samples: z.array(z.object({ id: z.string(), title: z.string(), changes: z.array(z.string()) })),
})
export type ValuePreview = z.infer<typeof ValuePreview>

export const valueMappings = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-value-mappings',
    allow: can(Func.dataMappings, Opr.list),
    summary: "The customer's data mappings, as a queried list.",
    input: listQuery(VALUE_MAPPING_LIST),
    output: queriedList(ValueMapping),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-value-mapping/{id}',
    allow: can(Func.dataMappings, Opr.read),
    summary: 'One data mapping.',
    input: z.strictObject({ id: Id }),
    output: ValueMapping,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-value-mapping',
    allow: can(Func.dataMappings, Opr.create),
    summary: 'Says what a value of feeds becomes. A value that has its mapping answers 409 with it.',
    input: NewValueMapping,
    output: ValueMapping,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-value-mapping',
    allow: can(Func.dataMappings, Opr.update),
    summary: 'Changes a data mapping. A stale version answers 409 with the mapping as it is now.',
    input: ValueMappingChange,
    output: ValueMapping,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/administration/delete-value-mapping/{id}',
    allow: can(Func.dataMappings, Opr.delete),
    summary: 'Deletes a data mapping: what the product knows itself counts again.',
    input: z.strictObject({ id: Id }),
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/api/administration/delete-value-mappings',
    allow: can(Func.dataMappings, Opr.delete),
    summary: 'Deletes data mappings, for instance those that accepting suggestions has just made.',
    input: z.strictObject({ ids: z.array(Id).min(1, 'Choose at least one.').max(MOST_AT_ONCE) }),
    output: z.object({ removed: z.number().int() }),
  }),
  importMany: endpoint({
    method: 'POST',
    path: '/api/administration/import-value-mappings',
    allow: can(Func.dataMappings, Opr.create),
    summary:
      'Takes in a CSV of data mappings with the columns Value, Field, Becomes and Provider mapping, as an export has them. An empty word passes the value over. A wrong line refuses the file, with every wrong line named.',
    input: z.strictObject({
      text: z.string().min(1, 'Send a file.').max(1_000_000, 'A file may have at most a million characters.'),
    }),
    output: z.object({ added: z.number().int(), changed: z.number().int(), same: z.number().int() }),
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/administration/preview-value-mappings',
    allow: can(Func.dataMappings, Opr.read),
    summary:
      'What applying the mappings to the vehicles there are would change: those that hold a value as a feed wrote it.',
    input: z.strictObject({}),
    output: ValuePreview,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/administration/apply-value-mappings',
    allow: can(Func.dataMappings, Opr.update),
    summary:
      'Applies the mappings to the vehicles there are by a job, for those who may change vehicles too. Locked fields stay as they are.',
    input: z.strictObject({}),
    output: Job,
  }),
}
