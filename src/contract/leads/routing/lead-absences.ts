import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** The most days ahead. */
export const MAX_DAYS_OFF = 366

const day = z.iso.date('Enter a date such as 2026-11-30.')
const OWN = '/api/customers/get-lead-absence'
const TEAM = '/api/customers/get-lead-team'
const CHANGED = [
  OWN,
  TEAM,
  '/api/customers/get-lead-destinations',
  '/api/customers/edit-lead-destination/{id}',
] as const

/** Days on which a user is off, in the time zone of the customer. Null: they aren't, and no absence lies ahead. */
export const LeadAbsence = z.object({
  /** The first day; null if it has begun. */
  from: z.iso.date().nullable(),
  /** The last day. */
  until: z.iso.date().nullable(),
})
export type LeadAbsence = z.infer<typeof LeadAbsence>

const days = {
  /** The first day; left out or null: from now on. */
  from: day.nullable().optional(),
  until: z.union([z.literal('today'), day.nullable()]),
}

/** Users who are off get no leads by rules, neither as a user nor as a member of a team. */
export const leadAbsences = {
  own: endpoint({
    method: 'GET',
    path: OWN,
    allow: can(Func.leads, Opr.read),
    summary: 'Returns on which days the caller gets no leads.',
    input: z.strictObject({}),
    output: LeadAbsence,
  }),
  setOwn: endpoint({
    method: 'POST',
    path: '/api/customers/set-lead-absence',
    allow: can(Func.leads, Opr.update),
    summary:
      'Sets the days on which the caller gets no leads: until `today`, a date, or null if they are back. Leads that they own stay theirs.',
    input: z.strictObject(days),
    output: LeadAbsence,
    changes: CHANGED,
  }),
  set: endpoint({
    method: 'POST',
    path: '/api/customers/set-user-lead-absence',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Sets the days on which a user of a store within reach gets no leads; null if they are back. Leads that they own stay theirs.',
    input: z.strictObject({ userId: Id, ...days }),
    output: LeadAbsence,
    changes: CHANGED,
  }),
}
