import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

const Notices = z.object({
  /** Whether the caller is emailed about leads that are assigned to them, and about answers of their buyers. */
  isOn: z.boolean(),
})
const GET = '/api/customers/get-lead-notices'

export const leadNotices = {
  get: endpoint({
    method: 'GET',
    path: GET,
    allow: can(Func.leads, Opr.read),
    summary: 'Returns whether the caller is emailed about their leads.',
    input: z.strictObject({}),
    output: Notices,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-lead-notices',
    allow: can(Func.leads, Opr.update),
    summary:
      "Turns emails about the caller's own leads on or off. They are always off for platform staff, who own no leads.",
    input: z.strictObject({ isOn: z.boolean() }),
    output: Notices,
    changes: [GET],
  }),
}
