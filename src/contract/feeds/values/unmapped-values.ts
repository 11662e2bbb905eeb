import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { MAPPED_FIELDS } from './mapped-fields.ts'
import { UNMAPPED_LIST } from './unmapped-list.ts'
import { Canonical, MAX_AT_ONCE, SHOWS_VALUES } from './value-mappings.ts'

/** "Accept all" accepts suggestions with at least this certainty, in percent. */
export const MIN_CERTAINTY = 95

/** A value from a feed that has no data mapping. */
export const UnmappedValue = z.object({
  id: z.string(),
  field: z.enum(MAPPED_FIELDS),
  raw: z.string(),
  /** Rows with this value in the last run that contained it. */
  rows: z.number().int(),
  suggestion: z.string().nullable(),
  /** In percent. */
  certainty: z.number().int().nullable(),
  /** The reason for the suggestion, as a sentence. */
  reason: z.string().nullable(),
  /** The provider mapping of the last run that contained it. */
  providerMapping: z.string().nullable(),
  firstSeenAt: Instant,
  lastSeenAt: Instant,
  /** Vehicles from those rows that the caller may see. */
  samples: z.array(z.object({ id: z.string(), title: z.string(), vin: z.string() })),
})
export type UnmappedValue = z.infer<typeof UnmappedValue>

export const MappingResult = z.object({
  /** The new mappings; deleting them undoes the call. */
  mappingIds: z.array(z.string()),
  /** Values that another user mapped in the meantime; their mappings are kept. */
  already: z.number().int(),
})

export const unmappedValues = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-unmapped-values',
    allow: can(Func.dataMappings, Opr.list),
    summary: 'Lists unmapped feed values with suggestions, as a queried list.',
    input: listQuery(UNMAPPED_LIST),
    output: queriedList(UnmappedValue),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-unmapped-value/{id}',
    allow: can(Func.dataMappings, Opr.read),
    summary: 'Returns one unmapped value.',
    input: z.strictObject({ id: Id }),
    output: UnmappedValue,
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/api/administration/resolve-unmapped-values',
    allow: can(Func.dataMappings, Opr.create),
    summary:
      'Maps unmapped values to a standard value, or to null to ignore them. Returns 409 if other users have already mapped all of them.',
    input: z.strictObject({
      values: z
        .array(z.strictObject({ id: Id, canonical: Canonical }))
        .min(1, 'Select at least one value.')
        .max(MAX_AT_ONCE),
    }),
    output: MappingResult,
    changes: SHOWS_VALUES,
  }),
  acceptSure: endpoint({
    method: 'POST',
    path: '/api/administration/accept-sure-values',
    allow: can(Func.dataMappings, Opr.create),
    summary: 'Accepts every suggestion with a certainty of at least 95%.',
    input: z.strictObject({}),
    output: MappingResult,
    changes: SHOWS_VALUES,
  }),
}
