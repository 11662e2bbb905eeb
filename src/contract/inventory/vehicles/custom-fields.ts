import { z } from 'zod'
import { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { endpoint } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const customFields = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-custom-fields',
    allow: can(Func.vehicles, Opr.list),
    summary: "The customer's own fields of vehicles, in their order, archived ones included.",
    output: z.array(CustomField),
  }),
}
