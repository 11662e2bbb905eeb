import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../fields.ts'
import { Organization } from '../organizations/organizations.ts'
import { can, Func, Opr } from '../permissions.ts'

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
}
