import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line, optionalLine } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Region } from './factor-schema.ts'
import { FactorDataset } from './factors.ts'
import { FactorGas, GWP_SETS } from './resolve.ts'

/** An edition's file may have so many bytes. */
export const MAX_EDITION_BYTES = 30_000_000
/** So many refused rows are told one by one; the others are counted. */
export const MAX_REFUSED = 200

/**
 * Which tables are understood. `own`: a line for each factor, as data/carbon has them. `long`: a line for each gas; the
 * template is one. `desnz`: the flat file of the UK's conversion factors. `useeio`: the EPA's supply chain factors.
 */
export const EDITION_FORMS = ['own', 'long', 'desnz', 'useeio'] as const

/** What an edition says of itself; without it nobody could cite a figure. */
export const EditionDetails = z.strictObject({
  publisher: line(120, 'Publisher'),
  title: line(200, 'Title'),
  edition: line(60, 'Edition'),
  /** Its factors are valid for this year where their rows say nothing else. */
  year: z
    .number('Year is a number of four digits.')
    .int()
    .min(1990, 'Year is 1990 or later.')
    .max(2100, 'Year is 2100 at the latest.'),
  /** Of rows that name none. */
  region: Region,
  /** The report whose warming potentials are in its figures already. */
  gwpSet: z.union([z.enum(GWP_SETS), z.null()]).optional(),
  licence: line(120, 'Licence'),
  attribution: line(300, 'Attribution'),
  url: optionalLine(300, 'Address'),
})
export type EditionDetails = z.output<typeof EditionDetails>

export const EditionPreview = z.object({
  form: z.enum(EDITION_FORMS),
  /** What the file itself says, to begin with. */
  details: z.object({
    publisher: z.string(),
    title: z.string(),
    edition: z.string(),
    year: z.number().int().nullable(),
    region: z.string(),
    gwpSet: z.enum(GWP_SETS).nullable(),
    licence: z.string(),
  }),
  /** Lines of figures, without heads and empty ones. */
  lines: z.number().int(),
  /** What they come to: a factor has a line for each of its gases in some files. */
  factors: z.number().int(),
  /** Of those, how many continue an activity that the library knows. */
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
    summary: "Reads an edition's file (CSV or XLSX) and tells what it would bring; nothing is kept.",
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
      'Brings in an edition for every organization. `details` (JSON) stands before the file. An edition that is there answers 409.',
    input: z.strictObject({ details: z.string().max(4000) }),
    output: FactorDataset,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/carbon/delete-factor-edition/{id}',
    allow: can(Func.emissionFactors, Opr.delete),
    summary: 'Deletes an edition that was brought in, with its factors. One that is used answers 409.',
    input: z.strictObject({ id: Id }),
  }),
  template: endpoint({
    method: 'GET',
    path: '/api/carbon/factor-edition-template',
    kind: 'download',
    allow: can(Func.emissionFactors, Opr.list),
    summary: 'A table (CSV) to be filled with factors, with one factor as an example.',
    input: z.strictObject({}),
  }),
}
