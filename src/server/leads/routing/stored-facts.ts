import { z } from 'zod'
import type { Returning } from '#contract/leads/routing/choose-lead-destinations.ts'
import type { LeadFacts } from '#contract/leads/routing/lead-facts.ts'

const Text = z.string().nullable()
const Facts = z.object({
  lotId: Text,
  isStoreFixed: z.boolean(),
  leadType: Text,
  source: Text,
  make: Text,
  model: Text,
  priceCents: z.number().nullable(),
  campaign: Text,
  formId: Text,
  postalCode: Text,
  language: Text,
  hasTradeIn: z.boolean(),
  opening: z.enum(['open', 'closed', 'unknown']),
  time: z.string(),
  receivedAt: z.iso.datetime().transform((at) => new Date(at)),
  zone: z.string(),
  values: z.record(z.string(), z.unknown()),
}) satisfies z.ZodType<LeadFacts>

/** What routing knew of a lead, stored with its route. */
const StoredFacts = z.object({
  facts: Facts,
  organizationId: z.string(),
  earlier: z.object({ leadId: z.string(), minutesAgo: z.number() }).nullable(),
  returning: z.object({ userId: z.string(), name: z.string() }).nullable(),
})
export type StoredFacts = z.infer<typeof StoredFacts>

/** As JSON for the database. */
export const storedFacts = (used: {
  facts: LeadFacts
  organizationId: string
  earlier: StoredFacts['earlier']
  returning: Returning | null
}): string => JSON.stringify(used)

/** Null if nothing was stored, or in a form that is no longer known. */
export function readStoredFacts(stored: unknown): StoredFacts | null {
  return stored === null ? null : (StoredFacts.safeParse(stored).data ?? null)
}
