import { z } from 'zod'
import { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { endpoint } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const customFields = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-custom-fields',
    allow: can(Func.vehicles, Opr.list),
    summary: "Lists the customer's custom vehicle fields in display order, including archived ones.",
    output: z.array(CustomField),
  }),
}
