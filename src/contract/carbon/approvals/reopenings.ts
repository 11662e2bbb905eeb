import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { openingReason as reason, REOPENING, ReopeningDecision } from '#contract/reopenings.ts'
import { Inventory } from '../inventories/inventories.ts'

/** A request to unlock or reopen an inventory, and what a second person decided. */
export const Reopening = z.object({
  ...REOPENING,
  formerStatus: z.enum(['approved', 'locked']),
  /** `approved`: it is unlocked. `collecting`: it is reopened. */
  status: z.enum(['approved', 'collecting']),
})
export type Reopening = z.infer<typeof Reopening>

const REOPENINGS = '/api/carbon/get-reopenings'
const CHANGED = [
  REOPENINGS,
  '/api/carbon/get-inventories',
  '/api/carbon/edit-inventory/{id}',
  '/api/carbon/get-status-history',
] as const
const execute = can(Func.reportingPeriods, Opr.execute)

/** Unlocking and reopening what two people approved: one person asks, another one confirms. */
export const inventoryReopenings = {
  list: endpoint({
    method: 'GET',
    path: REOPENINGS,
    allow: { anyOf: [can(Func.reportingPeriods, Opr.read), can(Func.carbonInsights, Opr.list)] },
    summary: 'Lists the requests to unlock or reopen an inventory, newest first, with what was decided.',
    input: z.strictObject({ inventory: Id }),
    output: z.array(Reopening),
  }),
  request: endpoint({
    method: 'POST',
    path: '/api/carbon/request-reopening',
    allow: execute,
    outside: true,
    summary:
      'Asks a second person to unlock a locked inventory (approved) or to reopen an approved one (collecting), with the reason. Emails the approver. Returns 409 if someone has already asked, or if no second person is needed.',
    input: z.strictObject({
      inventory: Id,
      status: z.enum(['approved', 'collecting'], 'Choose whether to unlock or to reopen it.'),
      reason,
      version: Version,
    }),
    output: Reopening,
    changes: CHANGED,
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/carbon/confirm-reopening',
    allow: execute,
    outside: true,
    summary:
      'Confirms a request of someone else, which unlocks or reopens the inventory. Returns 403 for the person who asked. What was approved stays stored. Emails the person who asked.',
    input: ReopeningDecision,
    output: Inventory,
    changes: CHANGED,
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/carbon/decline-reopening',
    allow: execute,
    outside: true,
    summary:
      'Declines a request of someone else, with the reason. The inventory stays as it is. Emails the person who asked.',
    input: ReopeningDecision,
    output: Reopening,
    changes: CHANGED,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/api/carbon/withdraw-reopening',
    allow: execute,
    summary: 'Withdraws a request of one’s own.',
    input: z.strictObject({ id: Id }),
    output: Reopening,
    changes: CHANGED,
  }),
}
