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

/** What is the same for everybody: units, what people write for them, fuels, warming potentials. */
export const Measures = UnitRows.extend({ fuels: z.array(FuelProperty), gwps: z.array(GwpValue) })
export type Measures = z.infer<typeof Measures>

export const factors = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-factors',
    allow: can(Func.emissionFactors, Opr.list),
    summary: 'Emission factors of the library and the own ones, as a queried list.',
    input: listQuery(FACTOR_LIST),
    output: queriedList(FactorRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/carbon/edit-factor/{id}',
    allow: can(Func.emissionFactors, Opr.read),
    summary: 'One factor with its citation and what a unit comes to by each assessment report.',
    input: z.strictObject({ id: Id }),
    output: Factor,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-factor',
    allow: can(Func.emissionFactors, Opr.create),
    summary: 'Adds an own factor with the note of where it is from.',
    input: FactorInput,
    output: Factor,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/carbon/update-factor',
    allow: can(Func.emissionFactors, Opr.update),
    summary:
      'Replaces an own factor by a new row; the former stays and names it. A stale version answers 409 with the newest.',
    input: FactorChange,
    output: Factor,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/carbon/delete-factor/{id}',
    allow: can(Func.emissionFactors, Opr.delete),
    summary: 'Deletes an own factor that is current; the one it replaced is current again.',
    input: z.strictObject({ id: Id }),
  }),
  datasets: endpoint({
    method: 'GET',
    path: '/api/carbon/get-factor-datasets',
    allow: can(Func.emissionFactors, Opr.list),
    summary: 'The editions there are, and which regions have a figure for grid electricity.',
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
    summary: 'Units with what people write for them, properties of fuels, and global warming potentials.',
    output: Measures,
  }),
  find: endpoint({
    method: 'POST',
    path: '/api/carbon/find-factor',
    allow: can(Func.emissionFactors, Opr.list),
    summary:
      'Chooses the factor for an activity, a region, a day and a unit, and says why this one and not others.',
    input: FactorQuery,
    output: FactorChoice,
    writes: false,
  }),
}
