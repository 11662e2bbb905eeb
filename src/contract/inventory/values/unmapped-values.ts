import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Id, Instant } from '../../fields.ts'
import { can, Func, Opr } from '../../permissions.ts'
import { listQuery, queriedList } from '../../queried-list.ts'
import { MAPPED_FIELDS } from './mapped-fields.ts'
import { UNMAPPED_LIST } from './unmapped-list.ts'
import { Canonical, MOST_AT_ONCE } from './value-mappings.ts'

/** From here on, in percent, suggestions are accepted together. */
export const SURE = 95

/** A value that feeds wrote and nobody has a word for. */
export const UnmappedValue = z.object({
  id: z.string(),
  field: z.enum(MAPPED_FIELDS),
  raw: z.string(),
  /** How many rows of the last run that had it. */
  rows: z.number().int(),
  suggestion: z.string().nullable(),
  /** In percent. */
  certainty: z.number().int().nullable(),
  /** Why, as a sentence. */
  reason: z.string().nullable(),
  /** Which mapping read it last. */
  providerMapping: z.string().nullable(),
  firstSeenAt: Instant,
  lastSeenAt: Instant,
  /** Vehicles of those rows that the caller may see. */
  samples: z.array(z.object({ id: z.string(), title: z.string(), vin: z.string() })),
})
export type UnmappedValue = z.infer<typeof UnmappedValue>

export const Settled = z.object({
  /** The mappings that were made: deleting them takes it back. */
  mappingIds: z.array(z.string()),
  /** Values that somebody else decided on meanwhile: theirs stays. */
  already: z.number().int(),
})

export const unmappedValues = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-unmapped-values',
    allow: can(Func.dataMappings, Opr.list),
    summary: 'Values of feeds that have no word yet, with what they may mean, as a queried list.',
    input: listQuery(UNMAPPED_LIST),
    output: queriedList(UnmappedValue),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-unmapped-value/{id}',
    allow: can(Func.dataMappings, Opr.read),
    summary: 'One value that has no word yet.',
    input: z.strictObject({ id: Id }),
    output: UnmappedValue,
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/administration/settle-unmapped-values',
    allow: can(Func.dataMappings, Opr.create),
    summary:
      'Says what unmapped values become: a word, or null to pass them over. When others decided on all of them meanwhile, it answers 409.',
    input: z.strictObject({
      values: z
        .array(z.strictObject({ id: Id, canonical: Canonical }))
        .min(1, 'Choose at least one.')
        .max(MOST_AT_ONCE),
    }),
    output: Settled,
  }),
  acceptSure: endpoint({
    method: 'POST',
    path: '/api/administration/accept-sure-values',
    allow: can(Func.dataMappings, Opr.create),
    summary: 'Accepts every suggestion that is at least 95 percent certain.',
    input: z.strictObject({}),
    output: Settled,
  }),
}
