import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** The most days ahead. */
export const MAX_DAYS_OFF = 366

const until = z.iso.date('Enter a date such as 2026-11-30.').nullable()
const OWN = '/api/customers/get-lead-absence'
const Absence = z.object({
  /** The last day on which the user is off, in the time zone of the customer; null if they aren't. */
  until: z.iso.date().nullable(),
})

/** Users who are off get no leads by rules, neither as a user nor as a member of a team. */
export const leadAbsences = {
  own: endpoint({
    method: 'GET',
    path: OWN,
    allow: can(Func.leads, Opr.read),
    summary: 'Returns until which day the caller gets no leads.',
    input: z.strictObject({}),
    output: Absence,
  }),
  setOwn: endpoint({
    method: 'POST',
    path: '/api/customers/set-lead-absence',
    allow: can(Func.leads, Opr.update),
    summary:
      'Sets the last day on which the caller gets no leads: `today`, a date, or null if they are back. Leads that they own stay theirs.',
    input: z.strictObject({ until: z.union([z.literal('today'), until]) }),
    output: Absence,
    changes: [OWN, '/api/customers/get-lead-destinations', '/api/customers/edit-lead-destination/{id}'],
  }),
  set: endpoint({
    method: 'POST',
    path: '/api/customers/set-user-lead-absence',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Sets the last day on which a user of a store within reach gets no leads; null if they are back.',
    input: z.strictObject({ userId: Id, until: z.union([z.literal('today'), until]) }),
    output: Absence,
    changes: [OWN, '/api/customers/get-lead-destinations', '/api/customers/edit-lead-destination/{id}'],
  }),
}
