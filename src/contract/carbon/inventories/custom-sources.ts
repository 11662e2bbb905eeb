import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Activity, ORIGINS } from '../factors/factor-schema.ts'
import { FREQUENCIES, METHODS } from './assignments.ts'

/** The most facilities that a new source is assigned to in one call. */
const MOST_FACILITIES = 200
/** The most activities in one answer. */
export const MOST_ACTIVITIES = 50

/** A source that the organization describes itself. It is assigned to facilities like a standard one. */
export const CustomSource = z.object({
  id: z.string(),
  /** What its assignments, imports and imported totals name: `own-12`. */
  sourceType: z.string(),
  name: z.string(),
  /** 1, 2 or 3.1 to 3.15. */
  scope: z.string(),
  /** The activity path of its factors, in the library or among the custom factors. */
  activity: z.string(),
  /** The usual unit of its quantities. */
  unit: z.string(),
  /** Its current activity records in open inventories. */
  records: z.number().int(),
  version: z.number().int(),
})
export type CustomSource = z.infer<typeof CustomSource>

const fields = {
  name: line(80, 'Name'),
  scope: z
    .string('Choose a scope.')
    .regex(/^(1|2|3\.([1-9]|1[0-5]))$/, 'Choose scope 1, scope 2 or a scope 3 category from 3.1 to 3.15.'),
  /** Of the library, of a custom factor, or `own/` and any name for an activity whose factor is added later. */
  activity: Activity,
  unit: line(60, 'Unit'),
}

/** With `facilityIds`, it is also assigned there, with the values that follow. */
const NewCustomSource = z.strictObject({
  inventoryId: Id,
  ...fields,
  facilityIds: z
    .array(Id)
    .max(MOST_FACILITIES, `Choose at most ${MOST_FACILITIES} facilities.`)
    .refine((ids) => new Set(ids).size === ids.length, 'Each facility can be listed only once.')
    .optional()
    .default([]),
  /** The meter, account or asset. */
  label: optionalLine(80, 'Meter or asset'),
  frequency: z.enum(FREQUENCIES, 'Choose how often data is entered.').optional(),
  method: z.enum(METHODS, 'Choose a calculation method.').optional(),
  factorId: z.union([z.null(), Id], 'Choose a factor.').optional(),
})
export type NewCustomSource = z.input<typeof NewCustomSource>

/** An activity that a source can have, with what its factors are for. */
export const SourceActivity = z.object({
  activity: z.string(),
  name: z.string(),
  category: z.string(),
  /** `standard`: a standard source, which may have no factor yet. */
  origin: z.enum([...ORIGINS, 'standard']),
  /** 1, 2 and 3.1 to 3.15; empty if its factors don't say which category of scope 3. */
  scopes: z.array(z.string()),
  /** The units of its factors. */
  units: z.array(z.string()),
  /** The regions of its factors. */
  regions: z.array(z.string()),
})
export type SourceActivity = z.infer<typeof SourceActivity>

const reads = {
  anyOf: [
    can(Func.assignments, Opr.read),
    can(Func.carbonEmission, Opr.read),
    can(Func.activityData, Opr.read),
  ],
}
const one = z.strictObject({ id: Id })

/** The sources, the steps that depend on them, missing factors and data requests. */
const SHOWS_SOURCES = [
  '/api/carbon/get-custom-sources',
  '/api/carbon/get-factor-gaps',
  '/api/carbon/edit-inventory/{id}',
  '/api/carbon/get-inventories',
  '/api/carbon/get-inventory-facilities',
  '/api/carbon/get-assignments',
  '/api/carbon/get-data-requests',
  '/api/carbon/get-data-request/{id}',
  '/api/carbon/get-my-data-requests',
] as const

/** Custom emission sources of an organization. */
export const customSources = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-custom-sources',
    allow: reads,
    summary: "Lists the custom sources of an inventory's organization, by scope and name.",
    input: z.strictObject({ inventory: Id }),
    output: z.array(CustomSource),
  }),
  findActivities: endpoint({
    method: 'GET',
    path: '/api/carbon/get-source-activities',
    allow: reads,
    summary: `Finds activities for a custom source by words: custom factors first, then imported ones, standard sources and the library. Returns at most ${MOST_ACTIVITIES}.`,
    input: z.strictObject({ inventory: Id, search: z.string().trim().max(200).optional().default('') }),
    output: z.array(SourceActivity),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-custom-source',
    allow: can(Func.assignments, Opr.create),
    summary:
      'Adds a custom source to the organization of an open inventory and assigns it to facilities. Returns 409 if the name is in use.',
    input: NewCustomSource,
    output: CustomSource,
    changes: SHOWS_SOURCES,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/carbon/update-custom-source',
    allow: can(Func.assignments, Opr.update),
    summary:
      'Renames or changes a custom source in all open inventories. Returns 409 if the version is stale, the name is in use, or approved records depend on the change.',
    input: z.strictObject({ id: Id, version: Version, ...fields }),
    output: CustomSource,
    changes: SHOWS_SOURCES,
  }),
  remove: endpoint({
    ...deletionOf(CustomSource),
    path: '/api/carbon/delete-custom-source/{id}',
    allow: can(Func.assignments, Opr.delete),
    summary:
      'Removes a custom source and its assignments in open inventories. Returns 409 if it has data there. Can be undone with restore-custom-source.',
    changes: SHOWS_SOURCES,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/carbon/restore-custom-source',
    allow: can(Func.assignments, Opr.delete),
    summary: 'Undoes the removal of a custom source. Returns 409 if its name is in use now.',
    input: one,
    output: CustomSource,
    changes: SHOWS_SOURCES,
  }),
}
