import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** Room for a 17-character VIN typed with spaces and dashes. */
const MAX_CHARACTERS = 40

/** The fields of a decoded VIN, in display order. `kind`: car, truck, motorcycle; `series`: the manufacturer's name for a model family. */
export const VIN_FIELDS = [
  'year',
  'make',
  'model',
  'series',
  'trim',
  'body',
  'doors',
  'engine',
  'fuel',
  'electrification',
  'transmission',
  'drivetrain',
  'kind',
] as const
export type VinField = (typeof VIN_FIELDS)[number]

const Decoded = z.object({
  value: z.string(),
  /** A phrase for the screen: the VIN characters, or the other source, the value comes from. */
  from: z.string(),
})

/** A decoded VIN. A wrong check digit is reported but is not an error: VINs from outside North America have none. */
export const VinFacts = z.object({
  /** Upper case, without spaces and dashes. */
  vin: z.string(),
  /** Null for a possible VIN; otherwise a sentence with the reason it can't be one, and `values` is empty. */
  refusal: z.string().nullable(),
  /** A likely correction when the text contains I, O or Q, which no VIN has. */
  suggestion: z.string().nullable(),
  checkDigit: z.object({
    /** `unused`: the ninth character can't be a check digit. */
    verdict: z.enum(['right', 'wrong', 'unused']),
    found: z.string(),
    /** Empty if a letter has no value in the check-digit formula (I, O, Q). */
    expected: z.string(),
  }),
  values: z.partialRecord(z.enum(VIN_FIELDS), Decoded),
  warnings: z.array(z.string()),
  /** Date of the last change in the vPIC table, `2026-02-17`. */
  edition: z.string(),
})
export type VinFacts = z.infer<typeof VinFacts>

export const vins = {
  decode: endpoint({
    method: 'GET',
    path: '/api/inventory/decode-vin/{vin}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'Decodes a VIN with the patterns that manufacturers file with NHTSA.',
    input: z.strictObject({ vin: z.string().overwrite(trimmed).min(1).max(MAX_CHARACTERS) }),
    output: VinFacts,
  }),
}
