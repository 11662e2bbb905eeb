import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** Response times count only while the lot was open. Test leads, duplicates and leads in quarantine don't count. */
const ResponseFigures = z.object({
  leads: z.number().int(),
  answered: z.number().int(),
  /** Without a response at their deadline: answered or closed after it, or still waiting. */
  late: z.number().int(),
  medianSeconds: z.number().int().nullable(),
  /** Answered within five minutes, of all answered. Between 0 and 1. */
  shareUnderFive: z.number().nullable(),
  sold: z.number().int(),
  lost: z.number().int(),
})
const NamedFigures = ResponseFigures.extend({ id: z.string().nullable(), name: z.string() })
export type ResponseFigures = z.infer<typeof ResponseFigures>

export const leadResponses = {
  get: endpoint({
    method: 'GET',
    path: '/api/customers/get-lead-responses',
    allow: can(Func.leads, Opr.list),
    summary:
      'Returns how fast the leads of a period were answered: median and share under five minutes in opening hours, by lot, person and source.',
    input: z.strictObject({
      from: z.iso.date('Enter a date such as 2026-11-01.'),
      to: z.iso.date('Enter a date such as 2026-11-30.'),
    }),
    output: z.object({
      total: ResponseFigures,
      /** By which the days of the period begin: that of the current organization. */
      zone: z.string(),
      byLot: z.array(NamedFigures),
      /** By who answered the leads first; those that wait, by who owns them now. */
      byUser: z.array(NamedFigures),
      bySource: z.array(NamedFigures),
    }),
  }),
}
