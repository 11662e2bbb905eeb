import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** Minutes until the first response of a person, unless the customer or the lot has another goal. */
export const DEFAULT_RESPONSE_MINUTES = 15
/** Minutes until an assigned lead goes to the next person. */
export const DEFAULT_ACCEPT_MINUTES = 5

/** Days until a lead in quarantine is deleted. */
export const DEFAULT_QUARANTINE_DAYS = 30

const minutes = (name: string) =>
  z
    .number(`${name} must be a number of minutes.`)
    .int(`${name} must be whole minutes.`)
    .min(1, `${name} must be at least 1 minute.`)
    .max(1_440, `${name} may be at most 1440 minutes.`)

const words = (name: string, max: number, most: number) =>
  z.array(line(max, name), `${name} must be a list.`).max(most, `${name} may have at most ${most} entries.`)

/** What an address of all stores finds a lot by. */
const LotNames = {
  vendorNames: words('Vendor names', 100, 50),
  dealerCodes: words('Dealer codes', 60, 50),
  postalCodes: words('ZIP codes', 20, 500),
}
const lists = z.array(z.string())

const Lot = z.object({
  lotId: z.string(),
  lotName: z.string(),
  /** Null: the customer's. */
  responseMinutes: z.number().int().nullable(),
  /** Gets leads that no one accepted. */
  managerId: z.string().nullable(),
  managerName: z.string().nullable(),
  /** What leads to an address of all stores call this lot, besides its name and code. */
  vendorNames: z.array(z.string()),
  dealerCodes: z.array(z.string()),
  /** Of buyers whose leads belong here; `958*` is every code that begins with 958. */
  postalCodes: z.array(z.string()),
  /** A buyer who comes back is assigned to the person who last answered them. */
  returnsToPerson: z.boolean(),
  /** The users who can be its manager. */
  choices: z.array(z.object({ id: z.string(), name: z.string() })),
})

export const LeadSettings = z.object({
  responseMinutes: z.number().int(),
  acceptMinutes: z.number().int().nullable(),
  keepMonths: z.number().int().nullable(),
  /** Leads in quarantine that look like spam are deleted after this many days. */
  quarantineDays: z.number().int(),
  /** Minutes until a form that was left halfway becomes a lead; null: never. */
  unfinishedMinutes: z.number().int().nullable(),
  /** Where emails of buyers arrive, at a provider of inbound email; null: replies don't come back to the lead. */
  replyAddress: z.string().nullable(),
  /** Whether the caller reaches the whole customer, which the settings apply to. */
  reachesAll: z.boolean(),
  lots: z.array(Lot),
  version: z.number().int(),
  updatedAt: Instant.nullable(),
  updatedBy: z.string().nullable(),
})
export type LeadSettings = z.infer<typeof LeadSettings>

const GET = '/api/customers/get-lead-settings'

export const leadSettings = {
  get: endpoint({
    method: 'GET',
    path: GET,
    allow: can(Func.leadRouting, Opr.read),
    summary:
      "Returns the response goals, the return timer, retention, and the managers of the lots in the caller's reach.",
    output: LeadSettings,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-lead-settings',
    allow: can(Func.customerDetails, Opr.update),
    summary:
      'Changes the response goals, the return timer and retention of the whole customer. Requires access to the whole customer.',
    input: z.strictObject({
      version: Version,
      responseMinutes: minutes('Response goal').optional(),
      acceptMinutes: minutes('Time to accept').nullable().optional(),
      keepMonths: z
        .number('Enter how many months leads are kept.')
        .int('Leads must be kept for whole months.')
        .min(1, 'Leads must be kept for at least 1 month.')
        .max(240, 'Leads may be kept for at most 240 months.')
        .nullable()
        .optional(),
      quarantineDays: z
        .number('Enter how many days spam is kept.')
        .int('Spam must be kept for whole days.')
        .min(1, 'Spam must be kept for at least 1 day.')
        .max(365, 'Spam may be kept for at most 365 days.')
        .optional(),
      unfinishedMinutes: z
        .number('Enter after how many minutes an unfinished form becomes a lead.')
        .int('Enter whole minutes.')
        .min(5, 'Wait for at least 5 minutes: the buyer may still be typing.')
        .max(10_080, 'Wait for at most 10080 minutes, which are 7 days.')
        .nullable()
        .optional(),
      replyAddress: z
        .union([
          z.null(),
          z.literal('').transform(() => null),
          z.email('Enter a valid email address.').max(200),
        ])
        .optional(),
    }),
    output: LeadSettings,
    changes: [GET],
  }),
  updateLot: endpoint({
    method: 'POST',
    path: '/api/customers/update-lot-lead-settings',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Changes the response goal or the manager of a lot, by which names, dealer codes and ZIP codes leads are found to be for it, and whether returning buyers go back to their person. Returns 409 with the current settings if someone else changed what is `known`.',
    input: z.strictObject({
      lotId: Id,
      responseMinutes: minutes('Response goal').nullable().optional(),
      managerId: Id.nullable().optional(),
      vendorNames: LotNames.vendorNames.optional(),
      dealerCodes: LotNames.dealerCodes.optional(),
      postalCodes: LotNames.postalCodes.optional(),
      returnsToPerson: z.boolean('Choose whether buyers go back to their person.').optional(),
      /** What the caller replaces. */
      known: z
        .strictObject({
          managerId: Id.nullable().optional(),
          vendorNames: lists.optional(),
          dealerCodes: lists.optional(),
          postalCodes: lists.optional(),
        })
        .optional(),
    }),
    output: LeadSettings,
    changes: [GET],
  }),
}
