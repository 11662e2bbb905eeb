import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { Factor, FactorChange, FactorInput, FactorRow } from './factor-schema.ts'
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
  licence: z.string(),
  attribution: z.string(),
  url: z.string().nullable(),
  /** How many of its factors are current. */
  factors: z.number().int(),
})
export type FactorDataset = z.infer<typeof FactorDataset>

/** Reference data shared by all customers: units and their aliases, fuel properties, GWPs. */
export const Measures = UnitRows.extend({ fuels: z.array(FuelProperty), gwps: z.array(GwpValue) })
export type Measures = z.infer<typeof Measures>

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
    summary: 'Adds a custom factor with its source.',
    input: FactorInput,
    output: Factor,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/carbon/update-factor',
    allow: can(Func.emissionFactors, Opr.update),
    summary:
      'Replaces a custom factor with a new version; the old one is kept and linked. Returns 409 with the newest if the version is stale.',
    input: FactorChange,
    output: Factor,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/carbon/delete-factor/{id}',
    allow: can(Func.emissionFactors, Opr.delete),
    summary: 'Deletes the current version of a custom factor. The version before it becomes current again.',
    input: z.strictObject({ id: Id }),
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
      ownFactors: z.number().int(),
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
