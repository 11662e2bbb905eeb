import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, Version } from '#contract/fields.ts'
import { Job } from '#contract/jobs/jobs.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { CONDITIONS, ELECTRIFICATIONS } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { MAPPED_FIELDS, type MappedField, TEXT_FIELDS } from './mapped-fields.ts'
import { VALUE_MAPPING_LIST } from './value-mapping-list.ts'

/** Maximum number of mappings deleted or imported in one call. */
export const MAX_AT_ONCE = 5_000
/** Maximum number of mappings of a customer: each feed is read with all of them. */
export const MAX_VALUE_MAPPINGS = 20_000
/** Maximum number of distinct changes in one run of `apply`; the next run makes the rest. */
export const MAX_CHANGES = 2_000

const field = z.enum(MAPPED_FIELDS, 'Choose a field.')
/** Null: the value is ignored, as if the feed had left it blank. */
export const Canonical = z.union([z.null(), line(100, 'Becomes')])

/** Maps a feed value to a standard value. */
export const ValueMapping = z.object({
  id: z.string(),
  field: z.enum(MAPPED_FIELDS),
  /** As first entered; case and extra spaces are ignored when values are compared. */
  raw: z.string(),
  /** Null: the value is ignored. */
  canonical: z.string().nullable(),
  /** Null: applies to every feed. */
  providerMappingId: z.string().nullable(),
  providerMapping: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type ValueMapping = z.infer<typeof ValueMapping>

const values = {
  field,
  raw: line(200, 'Value'),
  canonical: Canonical,
  providerMappingId: z.union([z.null(), Id]).optional(),
}
/** Conditions and electrifications must map to one of the fixed choices. */
export const NewValueMapping = z
  .strictObject(values)
  .superRefine((given, context) => checkMappedValue(given, context))
export type NewValueMapping = z.input<typeof NewValueMapping>

/** Accepts the full response of `edit-value-mapping`. */
export const ValueMappingChange = z
  .strictObject({
    ...values,
    id: Id,
    version: Version,
    providerMapping: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
  })
  .superRefine((given, context) => checkMappedValue(given, context))
  .transform(({ providerMapping: _name, updatedAt: _at, updatedBy: _by, ...change }) => change)

/** The only values a field accepts; null if it accepts any text. */
export function allowedValues(of: MappedField): readonly string[] | null {
  if (of === 'condition') return CONDITIONS
  return of === 'electrification' ? ELECTRIFICATIONS : null
}

/** The error message if a field does not accept a value, otherwise null. */
export function valueProblem(of: MappedField, canonical: string | null): string | null {
  const bound = allowedValues(of)
  if (canonical === null || bound === null || bound.includes(canonical)) return null
  return `Choose one of ${bound.join(', ')}.`
}

function checkMappedValue(
  given: { field: MappedField; canonical: string | null },
  context: { addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void },
): void {
  const message = valueProblem(given.field, given.canonical)
  if (message !== null) context.addIssue({ code: 'custom', path: ['canonical'], message })
}

/** The changes that `apply` would make. */
export const ValuePreview = z.object({
  changes: z.array(
    z.object({
      field: z.enum(TEXT_FIELDS),
      from: z.string(),
      /** Null: the field is cleared. */
      to: z.string().nullable(),
      vehicles: z.number().int(),
      /** Vehicles that keep their value because the field is locked. */
      locked: z.number().int(),
    }),
  ),
  /** Number of vehicles that would change; one vehicle may have several changes. */
  vehicles: z.number().int(),
  /** Some of these vehicles, if the caller may see vehicles. */
  samples: z.array(z.object({ id: z.string(), title: z.string(), changes: z.array(z.string()) })),
})
export type ValuePreview = z.infer<typeof ValuePreview>

/** Both lists, and the preview of what applying the mappings changes. */
export const SHOWS_VALUES = [
  '/api/administration/get-value-mappings',
  '/api/administration/preview-value-mappings',
  '/api/administration/get-unmapped-values',
] as const

export const valueMappings = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-value-mappings',
    allow: can(Func.dataMappings, Opr.list),
    summary: "Lists the customer's data mappings, as a queried list.",
    input: listQuery(VALUE_MAPPING_LIST),
    output: queriedList(ValueMapping),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-value-mapping/{id}',
    allow: can(Func.dataMappings, Opr.read),
    summary: 'Returns one data mapping.',
    input: z.strictObject({ id: Id }),
    output: ValueMapping,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-value-mapping',
    allow: can(Func.dataMappings, Opr.create),
    summary: 'Adds a data mapping. Returns 409 with the existing mapping if the value already has one.',
    input: NewValueMapping,
    output: ValueMapping,
    changes: SHOWS_VALUES,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-value-mapping',
    allow: can(Func.dataMappings, Opr.update),
    summary: 'Changes a data mapping. A stale version returns 409 with the current mapping.',
    input: ValueMappingChange,
    output: ValueMapping,
    changes: SHOWS_VALUES,
  }),
  remove: endpoint({
    ...deletionOf(ValueMapping),
    path: '/api/administration/delete-value-mapping/{id}',
    allow: can(Func.dataMappings, Opr.delete),
    summary: 'Deletes a data mapping. The built-in mapping applies again, if there is one.',
    changes: SHOWS_VALUES,
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/api/administration/delete-value-mappings',
    allow: can(Func.dataMappings, Opr.delete),
    summary: 'Deletes several data mappings, for example to undo accepted suggestions.',
    input: z.strictObject({ ids: z.array(Id).min(1, 'Select at least one mapping.').max(MAX_AT_ONCE) }),
    output: z.object({ removed: z.number().int() }),
    changes: SHOWS_VALUES,
  }),
  importMany: endpoint({
    method: 'POST',
    path: '/api/administration/import-value-mappings',
    allow: can(Func.dataMappings, Opr.create),
    summary:
      'Imports data mappings from CSV with the columns Value, Field, Becomes and Provider mapping, the same as the export. If Becomes is blank, the value is ignored. If any line has an error, nothing is imported and the response lists the errors.',
    input: z.strictObject({
      text: z
        .string()
        .min(1, 'Choose a file.')
        .max(1_000_000, 'The file can have at most 1,000,000 characters.'),
    }),
    output: z.object({ added: z.number().int(), changed: z.number().int(), same: z.number().int() }),
    changes: SHOWS_VALUES,
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/administration/preview-value-mappings',
    allow: can(Func.dataMappings, Opr.read),
    summary:
      'Returns the changes that applying the mappings to existing vehicles would make. It affects vehicles that still have an unmapped feed value.',
    input: z.strictObject({}),
    output: ValuePreview,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/administration/apply-value-mappings',
    allow: can(Func.dataMappings, Opr.update),
    summary:
      'Starts a job that applies the mappings to existing vehicles. Also requires permission to change vehicles. Locked fields are not changed.',
    input: z.strictObject({}),
    output: Job,
  }),
}
