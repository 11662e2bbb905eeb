import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** In order of precedence for the market-based method. */
const INSTRUMENT_KINDS = ['certificate', 'supplier_rate', 'residual_mix'] as const

const Positive = z
  .string()
  .regex(
    /^\d{1,16}(\.\d{1,12})?$/,
    'Enter a number such as 1234.5, with at most 16 digits before the decimal point and 12 after it.',
  )

const Amount = Positive.refine((digits) => Number(digits) > 0, 'Enter a number above 0.')

const instrument = {
  kind: z.enum(INSTRUMENT_KINDS, 'Choose a type.'),
  name: line(200, 'Name'),
  /** For certificates: how much they cover. */
  quantity: z.union([Amount, z.null()]).optional().default(null),
  unit: line(60, 'Unit'),
  /** kg CO2e per unit. */
  kgCo2e: Positive,
  /** Registry and serial numbers, or the contract. */
  sourceNote: line(500, 'Source'),
}

export const InstrumentInput = z
  .strictObject({
    inventoryId: Id,
    id: Id.optional(),
    version: Version,
    ...instrument,
    /** The sources it applies to; for certificates, with the quantity for each. */
    allocations: z
      .array(z.strictObject({ sourceId: Id, quantity: z.union([Amount, z.null()]).optional().default(null) }))
      .max(500, 'At most 500 sources.'),
  })
  .superRefine(({ kind, quantity, allocations }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    if (kind === 'certificate' && quantity === null)
      refuse(['quantity'], 'Enter how much the certificates cover.')
    if (kind !== 'certificate' && quantity !== null)
      refuse(['quantity'], 'Only certificates can have a quantity.')
    for (const [at, one] of allocations.entries())
      if ((kind === 'certificate') !== (one.quantity !== null))
        refuse(['allocations', at, 'quantity'], 'Enter a quantity for each source for certificates only.')
    const ids = allocations.map(({ sourceId }) => sourceId)
    const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at)
    if (twice >= 0) refuse(['allocations', twice, 'sourceId'], 'This source is already listed.')
  })

export const Instrument = z.object({
  id: z.string(),
  inventoryId: z.string(),
  kind: z.enum(INSTRUMENT_KINDS),
  name: z.string(),
  quantity: z.string().nullable(),
  unit: z.string(),
  kgCo2e: z.string(),
  sourceNote: z.string(),
  version: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
  allocations: z.array(z.object({ sourceId: z.string(), quantity: z.string().nullable() })),
})
export type Instrument = z.infer<typeof Instrument>

/** Contractual instruments for purchased electricity and heat, which the market-based method of scope 2 applies. */
export const instruments = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-instruments',
    allow: can(Func.carbonEmission, Opr.list),
    summary:
      'Lists the certificates, supplier rates and residual mixes of an inventory with their allocations.',
    input: z.strictObject({ inventoryId: Id }),
    output: z.array(Instrument),
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/carbon/save-instrument',
    allow: can(Func.carbonEmission, Opr.update),
    summary:
      'Adds an instrument, or replaces one and its allocations. Returns 400 if more is allocated than available.',
    input: InstrumentInput,
    output: Instrument,
  }),
  remove: endpoint({
    ...deletionOf(Instrument),
    path: '/api/carbon/delete-instrument/{id}',
    allow: can(Func.carbonEmission, Opr.delete),
    summary: 'Deletes an instrument with its allocations.',
  }),
}
