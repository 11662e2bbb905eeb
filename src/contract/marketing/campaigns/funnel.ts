import { z } from 'zod'

export const FUNNEL_STEPS = [
  { value: 'sent', label: 'Sent' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'opened', label: 'Opened' },
  { value: 'clicked', label: 'Clicked' },
  { value: 'visited', label: 'Visited the page' },
  { value: 'started', label: 'Started the form' },
  { value: 'form', label: 'Sent the form' },
  { value: 'lead', label: 'Became a lead' },
  { value: 'delivered-lead', label: 'Lead delivered' },
  { value: 'sold', label: 'Sold' },
] as const
export type FunnelStepName = (typeof FUNNEL_STEPS)[number]['value']

const FunnelStep = z.object({
  step: z.enum(FUNNEL_STEPS.map(({ value }) => value)),
  people: z.number().int(),
  /** Nothing shows that a person did it, and nothing that none did. */
  suspects: z.number().int(),
  bots: z.number().int(),
  /** What belongs to the figure, in a few words; empty if nothing does. */
  note: z.string(),
})
export type FunnelStep = z.infer<typeof FunnelStep>

/** What a campaign led to. Visits of the page are visits, everything else is people. */
export const CampaignFunnel = z.object({
  steps: z.array(FunnelStep),
  /** The campaign of the same organization that began before this one, with how many people reached each step. */
  previous: z
    .object({
      id: z.string(),
      name: z.string(),
      steps: z.array(z.object({ step: FunnelStep.shape.step, people: z.number().int() })),
    })
    .nullable(),
  byLot: z.array(
    z.object({
      lot: z.string(),
      /** People who clicked a vehicle of this lot, or the button of its campaign. */
      clicks: z.number().int(),
      leads: z.number().int(),
      delivered: z.number().int(),
      sold: z.number().int(),
    }),
  ),
  byVehicle: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      clicks: z.number().int(),
      leads: z.number().int(),
      /** The total price in the latest email that showed it, in cents. */
      totalCents: z.number().int().nullable(),
      isForSale: z.boolean(),
    }),
  ),
  /** How clicks of programs were told apart. */
  evidence: z.array(z.object({ what: z.string(), count: z.number().int() })),
  currency: z.string(),
  unsubscribed: z.number().int(),
  inDoubt: z.number().int(),
  /** Emails are kept in the outbox: no mail server sends them. */
  notSent: z.number().int(),
})
export type CampaignFunnel = z.infer<typeof CampaignFunnel>
