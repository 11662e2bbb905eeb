import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Counted } from '#contract/lists/counted.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { LeadAbsence } from './lead-absences.ts'

/** A user who works on leads within reach, or still owns some. */
const LeadWorker = z.object({
  userId: z.string(),
  name: z.string(),
  /** They can sign in and work on leads. Otherwise they left, or lost the permission, and still own leads. */
  canWork: z.boolean(),
  /** They get no leads by rules today. */
  isOff: z.boolean(),
  absence: LeadAbsence,
  /** Their open leads within reach, and of those the late ones. */
  open: Counted,
  late: Counted,
})
export type LeadWorker = z.infer<typeof LeadWorker>

export const leadTeam = {
  get: endpoint({
    method: 'GET',
    path: '/api/customers/get-lead-team',
    allow: can(Func.leads, Opr.read),
    summary:
      "Lists the users who work on leads of the caller's stores with their open leads and absences, those who left and still own leads, and the teams that leads can be shared among.",
    input: z.strictObject({}),
    output: z.object({
      people: z.array(LeadWorker),
      teams: z.array(z.object({ id: z.string(), name: z.string(), members: z.array(z.string()) })),
    }),
  }),
}
