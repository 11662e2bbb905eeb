import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line, optionalLine } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Region } from './factor-schema.ts'
import { FactorDataset, SHOWS_FACTORS } from './factors.ts'
import { FactorGas, GWP_SETS } from './resolve.ts'

/** The maximum size of an edition file. */
export const MAX_EDITION_BYTES = 30_000_000
/** The most rejected rows that are listed. The rest are only counted. */
export const MAX_REFUSED = 200

/**
 * The supported table formats. `own`: one line per factor, as in data/carbon. `long`: one line per gas, as in the
 * template. `desnz`: the flat file of the UK conversion factors. `useeio`: the EPA supply chain factors.
 */
export const EDITION_FORMS = ['own', 'long', 'desnz', 'useeio'] as const

/** The citation of an edition. */
export const EditionDetails = z.strictObject({
  publisher: line(120, 'Publisher'),
  title: line(200, 'Title'),
  edition: line(60, 'Edition'),
  /** Its factors are valid for this year unless a row says otherwise. */
  year: z
    .number('Enter a four-digit year.')
    .int()
    .min(1990, 'Year must be 1990 or later.')
    .max(2100, 'Year must be 2100 or earlier.'),
  /** For rows without one. */
  region: Region,
  /** The IPCC report of the GWPs that its CO2e values already include. */
  gwpSet: z.union([z.enum(GWP_SETS), z.null()]).optional(),
  license: line(120, 'License'),
  attribution: line(300, 'Attribution'),
  url: optionalLine(300, 'URL'),
})
export type EditionDetails = z.output<typeof EditionDetails>

export const EditionPreview = z.object({
  form: z.enum(EDITION_FORMS),
  /** Suggestions read from the file. */
  details: z.object({
    publisher: z.string(),
    title: z.string(),
    edition: z.string(),
    year: z.number().int().nullable(),
    region: z.string(),
    gwpSet: z.enum(GWP_SETS).nullable(),
    license: z.string(),
  }),
  /** Lines with values, without headers and empty lines. */
  lines: z.number().int(),
  /** Number of factors. In some files a factor has one line per gas. */
  factors: z.number().int(),
  /** How many of them continue an activity that is already in the library. */
  known: z.number().int(),
  refusedLines: z.number().int(),
  refused: z.array(z.object({ line: z.number().int(), name: z.string(), sentence: z.string() })),
  sample: z.array(
    z.object({
      name: z.string(),
      category: z.string(),
      activity: z.string(),
      scopes: z.array(z.string()),
      region: z.string(),
      unit: z.string(),
      gases: z.array(FactorGas),
    }),
  ),
})
export type EditionPreview = z.infer<typeof EditionPreview>

export const factorEditions = {
  read: endpoint({
    method: 'POST',
    path: '/api/carbon/read-factor-edition',
    kind: 'upload',
    allow: can(Func.emissionFactors, Opr.create),
    summary: "Reads an edition's file (CSV or XLSX) and returns what an import would add. Nothing is saved.",
    input: z.strictObject({}),
    output: EditionPreview,
    writes: false,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-factor-edition',
    kind: 'upload',
    allow: can(Func.emissionFactors, Opr.create),
    summary:
      'Imports an edition for all organizations. Send `details` (JSON) before the file. Returns 409 if the edition already exists.',
    input: z.strictObject({ details: z.string().max(4000) }),
    output: FactorDataset,
    changes: SHOWS_FACTORS,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/carbon/delete-factor-edition/{id}',
    allow: can(Func.emissionFactors, Opr.delete),
    summary: 'Deletes an imported edition with its factors. Returns 409 if any of them is in use.',
    input: z.strictObject({ id: Id }),
    changes: SHOWS_FACTORS,
  }),
  template: endpoint({
    method: 'GET',
    path: '/api/carbon/factor-edition-template',
    kind: 'download',
    allow: can(Func.emissionFactors, Opr.list),
    summary: 'Downloads a CSV template for emission factors, with an example.',
    input: z.strictObject({}),
  }),
}
