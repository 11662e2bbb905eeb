import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../fields.ts'
import { Organization } from '../organizations/organizations.ts'
import { can, Func, Opr } from '../permissions.ts'

const count = z.number().int()

/** One line of "Latest changes": who did what to which thing. */
export const Change = z.object({
  id: z.string(),
  at: Instant,
  /** The person who acted; null when the product itself did. */
  actor: z.string().nullable(),
  /** Set while the actor was in another person's skin. */
  onBehalfOf: z.string().nullable(),
  action: z.enum(['added', 'changed', 'deleted']),
  /** "lot", "organization": the word of the glossary. */
  kind: z.string(),
  subject: z.string(),
  /** Where the thing opens; null when it is gone or has no page. */
  url: z.string().nullable(),
})
export type Change = z.infer<typeof Change>

export const dashboard = {
  get: endpoint({
    method: 'GET',
    path: '/api/home/dashboard',
    allow: can(Func.dashboard, Opr.list),
    summary: 'The organization, its lots in figures and the latest changes the caller may see.',
    output: z.object({
      organization: Organization,
      /** Null when the caller may not list lots. */
      lots: z
        .object({
          total: z.number().int(),
          public: z.number().int(),
          byType: z.array(z.object({ type: z.string(), count: z.number().int() })),
          byOrganization: z.array(z.object({ id: z.string(), name: z.string(), count: z.number().int() })),
          withoutAddress: z.number().int(),
        })
        .nullable(),
      changes: z.array(Change),
    }),
  }),
  stock: endpoint({
    method: 'GET',
    path: '/api/home/dashboard-stock',
    allow: can(Func.vehicles, Opr.list),
    summary:
      'The vehicles in stock in figures: how many are live, what holds the others back, how old they are.',
    output: z.object({
      /** Neither sold nor gone: incoming, preparing, live, on hold or pending. */
      inStock: count,
      live: count,
      notLive: z.object({ incoming: count, preparing: count, hold: count }),
      pending: count,
      liveWithoutPrice: count,
      /** Of those whose day of arrival is known; null where it is of none. */
      medianDays: z.number().nullable(),
      /** The lots with vehicles in stock, the fullest first. */
      lots: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          inStock: count,
          /** By days in stock: to 30, to 60, to 90, more. Vehicles without a day of arrival are in none. */
          ages: z.tuple([count, count, count, count]),
        }),
      ),
    }),
  }),
}
