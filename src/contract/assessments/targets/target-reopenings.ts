import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { openingReason as reason, REOPENING, ReopeningDecision } from '#contract/reopenings.ts'
import { TARGET_ACTED, TargetRecord } from './targets.ts'

/** A request to reopen a target that two people approved, and what another person decided. */
export const TargetReopening = z.object({ ...REOPENING, targetId: z.string() })
export type TargetReopening = z.infer<typeof TargetReopening>

const REOPENINGS = '/api/assessments/get-reopenings'
const decide = can(Func.review, Opr.execute)
const ask = can(Func.assessments, Opr.execute)

/** Reopening what two people approved: one person asks, another one confirms. */
export const targetReopenings = {
  list: endpoint({
    method: 'GET',
    path: REOPENINGS,
    allow: { anyOf: [can(Func.assessments, Opr.read), can(Func.review, Opr.read)] },
    summary: 'Lists the requests to reopen a target, newest first, with what was decided.',
    input: z.strictObject({ targetId: Id }),
    output: z.array(TargetReopening),
  }),
  request: endpoint({
    method: 'POST',
    path: '/api/assessments/request-reopening',
    allow: ask,
    outside: true,
    summary:
      'Asks a second person to reopen a target that two people approved, with the reason. Emails its reviewers. Returns 409 if someone has already asked, or if no second person is needed.',
    input: z.strictObject({ targetId: Id, reason }),
    output: TargetReopening,
    changes: [REOPENINGS],
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/assessments/confirm-reopening',
    allow: decide,
    outside: true,
    summary:
      'Confirms a request of someone else, which reopens the target. Returns 403 for the person who asked. What was approved stays stored. Emails the person who asked.',
    input: ReopeningDecision,
    output: TargetRecord,
    changes: [...TARGET_ACTED, REOPENINGS],
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/assessments/decline-reopening',
    allow: decide,
    outside: true,
    summary:
      'Declines a request of someone else, with the reason. The target stays approved. Emails the person who asked.',
    input: ReopeningDecision,
    output: TargetReopening,
    changes: [REOPENINGS],
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/api/assessments/withdraw-reopening',
    allow: ask,
    summary: 'Withdraws a request of one’s own.',
    input: z.strictObject({ id: Id }),
    output: TargetReopening,
    changes: [REOPENINGS],
  }),
}
