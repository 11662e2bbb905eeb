import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** Longer than any VIN that somebody typed with spaces. */
const MOST_CHARACTERS = 40

/** What a VIN tells, in the order in which screens show it. `kind`: car, truck, motorcycle; `series`: what a maker calls a family. */
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
  /** A sentence: which characters say so, or what else it follows from. */
  from: z.string(),
})

/** What a VIN says. A wrong check digit is told and nothing more: VINs from outside North America have none. */
export const VinFacts = z.object({
  /** In capitals, without spaces and dashes. */
  vin: z.string(),
  /** Null when it can be a VIN; else a sentence that says why not. Then there are no values. */
  refusal: z.string().nullable(),
  /** The VIN it may have been meant to be, where letters stand that no VIN has. */
  suggestion: z.string().nullable(),
  checkDigit: z.object({
    /** `unused`: the ninth character is none that a check digit can be. */
    verdict: z.enum(['right', 'wrong', 'unused']),
    found: z.string(),
    /** Empty where a letter stands that counts nothing. */
    expected: z.string(),
  }),
  values: z.partialRecord(z.enum(VIN_FIELDS), Decoded),
  warnings: z.array(z.string()),
  /** The day of the last change in the table it was looked up in, `2026-02-17`. */
  edition: z.string(),
})
export type VinFacts = z.infer<typeof VinFacts>

export const vins = {
  decode: endpoint({
    method: 'GET',
    path: '/api/inventory/decode-vin/{vin}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'What a VIN says of its vehicle, from the patterns makers file with the NHTSA.',
    input: z.strictObject({ vin: z.string().trim().min(1).max(MOST_CHARACTERS) }),
    output: VinFacts,
  }),
}
