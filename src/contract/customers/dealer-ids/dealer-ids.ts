import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { lotRecord } from '../lots/lots.ts'

/** The most unmatched dealer IDs returned: those with the most rows. */
export const MAX_UNMATCHED = 50

/** A dealer ID in a feed that isn't linked to a lot: its rows can't become vehicles. */
export const UnmatchedDealerId = z.object({
  id: z.string(),
  dealerId: z.string(),
  /** The name of the feed, if known. */
  source: z.string().nullable(),
  /** The number of rows in the last run with this ID. */
  rows: z.number().int(),
  firstSeenAt: Instant,
  lastSeenAt: Instant,
})
export type UnmatchedDealerId = z.infer<typeof UnmatchedDealerId>

const UNMATCHED = '/api/customers/get-unmatched-dealer-ids'
const CHANGED = [UNMATCHED, '/api/customers/get-lots', '/api/customers/edit-lot/{id}'] as const

export const dealerIds = {
  unmatched: endpoint({
    method: 'GET',
    path: UNMATCHED,
    allow: can(Func.lots, Opr.list),
    summary: `Lists dealer IDs in feeds that aren't linked to a lot, at most ${MAX_UNMATCHED}.`,
    input: z.strictObject({}),
    output: z.array(UnmatchedDealerId),
  }),
  assign: endpoint({
    method: 'POST',
    path: '/api/customers/assign-dealer-id',
    allow: can(Func.lots, Opr.update),
    summary: 'Links a dealer ID to a lot. Returns 409 if a lot already has it.',
    input: z.strictObject({ id: Id, lotId: Id }),
    output: lotRecord.schema,
    changes: CHANGED,
  }),
  release: endpoint({
    method: 'POST',
    path: '/api/customers/release-dealer-id',
    allow: can(Func.lots, Opr.update),
    summary: 'Removes a dealer ID from a lot.',
    input: z.strictObject({ lotId: Id, dealerId: z.string().overwrite(trimmed).min(1).max(100) }),
    output: lotRecord.schema,
    changes: CHANGED,
  }),
}
