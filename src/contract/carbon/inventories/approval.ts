import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { INVENTORY_STATUSES } from './inventory-schema.ts'

/** What can be missing from an inventory when it is approved. */
export const GAP_KINDS = [
  'period',
  'coverage',
  'no_result',
  'unreviewed',
  'flagged',
  'facilities',
  'scope3',
] as const

/** One thing that is missing, as a sentence with its numbers. */
export const ApprovalGap = z.object({ kind: z.enum(GAP_KINDS), sentence: z.string() })
export type ApprovalGap = z.infer<typeof ApprovalGap>

/** Total emissions in kg CO2e by both methods of scope 2, as decimal digits. */
export const ApprovalTotal = z.strictObject({
  location: z.string().regex(/^\d{1,40}(\.\d{1,120})?$/, 'Enter the location-based total in kg CO2e.'),
  market: z.string().regex(/^\d{1,40}(\.\d{1,120})?$/, 'Enter the market-based total in kg CO2e.'),
})
export type ApprovalTotal = z.infer<typeof ApprovalTotal>

/** What an approver decides on. */
export const ApprovalCheck = z.object({
  location: z.string(),
  market: z.string(),
  /** Stale sources. The total may change until they have been recalculated. */
  pending: z.number().int(),
  /** Empty: complete. Otherwise the approval requires a reason. */
  gaps: z.array(ApprovalGap),
  /** Why the caller can't approve it; null if they can. */
  refusal: z.string().nullable(),
})
export type ApprovalCheck = z.infer<typeof ApprovalCheck>

/** A status change of an inventory. */
export const StatusEvent = z.object({
  id: z.string(),
  formerStatus: z.enum(INVENTORY_STATUSES),
  status: z.enum(INVENTORY_STATUSES),
  reason: z.string().nullable(),
  /** The approved total; null for other changes. */
  location: z.string().nullable(),
  market: z.string().nullable(),
  gaps: z.array(ApprovalGap),
  userName: z.string().nullable(),
  createdAt: Instant,
  /** The request of another person that it confirmed. */
  reopening: z
    .object({ requestedBy: z.string().nullable(), requestedAt: Instant, reason: z.string() })
    .nullable(),
})
export type StatusEvent = z.infer<typeof StatusEvent>

export const inventoryApproval = {
  check: endpoint({
    method: 'GET',
    path: '/api/carbon/get-approval-check',
    allow: can(Func.reportingPeriods, Opr.execute),
    summary:
      'Returns the total that would be approved, what is missing from the inventory, and whether the caller can approve it.',
    input: z.strictObject({ inventory: Id }),
    output: ApprovalCheck,
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/carbon/get-status-history',
    allow: {
      anyOf: [can(Func.reportingPeriods, Opr.read), can(Func.carbonInsights, Opr.list)],
    },
    summary:
      'Lists the status changes of an inventory, newest first, with reasons, approved totals and what was missing at the approval.',
    input: z.strictObject({ inventory: Id }),
    output: z.array(StatusEvent),
  }),
}
