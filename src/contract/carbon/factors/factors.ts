import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { Factor, FactorChange, FactorInput, FactorRow, NewFactor } from './factor-schema.ts'
import { ChangeEffect } from '#contract/carbon/factors/change-effect.ts'
import { INVENTORY_STATUSES } from '../inventories/inventory-schema.ts'
import { FACTOR_LIST } from './factor-list.ts'
import { FactorChoice, FactorQuery } from './find-factor.ts'
import { GwpValue } from './resolve.ts'
import { FuelProperty, UnitRows } from './unit-table.ts'

export const FactorDataset = z.object({
  id: z.string(),
  origin: z.enum(['library', 'imported']),
  publisher: z.string(),
  title: z.string(),
  edition: z.string(),
  year: z.number().int(),
  region: z.string(),
  gwpSet: z.string().nullable(),
  license: z.string(),
  attribution: z.string(),
  url: z.string().nullable(),
  /** How many of its factors are current. */
  factors: z.number().int(),
})
export type FactorDataset = z.infer<typeof FactorDataset>

/** What uses a custom factor, including its earlier versions. */
export const FactorUsage = z.object({
  inventories: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      organizationName: z.string(),
      status: z.enum(INVENTORY_STATUSES),
      /** Sources that use it, and those of them it was chosen for manually. */
      sources: z.number().int(),
      manual: z.number().int(),
      records: z.number().int(),
    }),
  ),
})
export type FactorUsage = z.infer<typeof FactorUsage>

/** What a custom factor, or a new version of one, would change in open inventories. */
export const FactorPreview = ChangeEffect.extend({
  /** Custom factors that match the same records. The one that was entered last takes precedence. */
  competing: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type FactorPreview = z.infer<typeof FactorPreview>

/** Reference data shared by all customers: units and their aliases, fuel properties, GWPs. */
export const Measures = UnitRows.extend({ fuels: z.array(FuelProperty), gwps: z.array(GwpValue) })
export type Measures = z.infer<typeof Measures>

/** The list, the editions with their counts, open factors and missing factors. */
export const SHOWS_FACTORS = [
  '/api/carbon/get-factors',
  '/api/carbon/get-factor-datasets',
  '/api/carbon/edit-factor/{id}',
  '/api/carbon/get-factor-gaps',
] as const

export const factors = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-factors',
    allow: can(Func.emissionFactors, Opr.list),
    summary: 'Returns library and custom emission factors as a queried list.',
    input: listQuery(FACTOR_LIST),
    output: queriedList(FactorRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/carbon/edit-factor/{id}',
    allow: can(Func.emissionFactors, Opr.read),
    summary: 'Returns one factor with its citation and its emissions per unit with each GWP set.',
    input: z.strictObject({ id: Id }),
    output: Factor,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-factor',
    allow: can(Func.emissionFactors, Opr.create),
    summary:
      'Adds a custom factor with its source. If it changes records of open inventories, `affected` must be their number, as preview-factor returns it; otherwise 409 with that as `preview`.',
    input: NewFactor,
    output: Factor,
    preview: FactorPreview,
    changes: SHOWS_FACTORS,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/carbon/update-factor',
    allow: can(Func.emissionFactors, Opr.update),
    summary:
      'Replaces a custom factor with a new version; the old one is kept and linked. Returns 409 with the newest if the version is stale. If results in open inventories change, `affected` must be their number, as preview-factor returns it; otherwise 409 with that as `preview`.',
    input: FactorChange,
    output: Factor,
    preview: FactorPreview,
    changes: SHOWS_FACTORS,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/carbon/preview-factor',
    allow: { anyOf: [can(Func.emissionFactors, Opr.create), can(Func.emissionFactors, Opr.update)] },
    summary:
      'Returns the records in open inventories that a new custom factor, or a new version of `replaces`, would change, with their emissions before and after. Nothing is saved.',
    input: FactorInput.extend({ replaces: Id.optional() }),
    output: FactorPreview,
    writes: false,
  }),
  usage: endpoint({
    method: 'GET',
    path: '/api/carbon/get-factor-usage',
    allow: can(Func.emissionFactors, Opr.read),
    summary: 'Lists the inventories that use a custom factor or one of its earlier versions.',
    input: z.strictObject({ id: Id }),
    output: FactorUsage,
  }),
  remove: endpoint({
    ...deletionOf(Factor),
    path: '/api/carbon/delete-factor/{id}',
    allow: can(Func.emissionFactors, Opr.delete),
    summary: 'Deletes a custom factor with its earlier versions. Returns 409 if anything uses one of them.',
    changes: ['/api/carbon/get-factors', '/api/carbon/get-factor-datasets', '/api/carbon/get-factor-gaps'],
  }),
  datasets: endpoint({
    method: 'GET',
    path: '/api/carbon/get-factor-datasets',
    allow: can(Func.emissionFactors, Opr.list),
    summary: 'Lists the factor datasets, and the regions with a grid electricity factor.',
    output: z.object({
      datasets: z.array(FactorDataset),
      /** Regions with a current factor for grid electricity. */
      gridRegions: z.array(z.string()),
      customFactors: z.number().int(),
    }),
  }),
  measures: endpoint({
    method: 'GET',
    path: '/api/carbon/get-units',
    allow: 'member',
    summary: 'Returns units with their aliases, fuel properties, and global warming potentials.',
    output: Measures,
  }),
  find: endpoint({
    method: 'POST',
    path: '/api/carbon/find-factor',
    allow: can(Func.emissionFactors, Opr.list),
    summary:
      'Picks the emission factor for an activity, a region, a date and a unit, and explains the choice.',
    input: FactorQuery,
    output: FactorChoice,
    writes: false,
  }),
}
