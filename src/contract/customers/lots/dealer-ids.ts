import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Lot } from './lots.ts'

/** The most unmatched dealer ids that are shown: those of most rows. */
export const MOST_UNMATCHED = 50

/** A dealer id that a feed names and no lot has: its rows cannot become vehicles. */
export const UnmatchedDealerId = z.object({
  id: z.string(),
  dealerId: z.string(),
  /** What the feed is called, where that is known. */
  source: z.string().nullable(),
  /** How many rows of the last run name it. */
  rows: z.number().int(),
  firstSeenAt: Instant,
  lastSeenAt: Instant,
})
export type UnmatchedDealerId = z.infer<typeof UnmatchedDealerId>

export const dealerIds = {
  unmatched: endpoint({
    method: 'GET',
    path: '/api/customers/get-unmatched-dealer-ids',
    allow: can(Func.lots, Opr.list),
    summary: `Dealer ids that feeds name and no lot has, at most ${MOST_UNMATCHED}.`,
    input: z.strictObject({}),
    output: z.array(UnmatchedDealerId),
  }),
  assign: endpoint({
    method: 'POST',
    path: '/api/customers/assign-dealer-id',
    allow: can(Func.lots, Opr.update),
    summary: 'Gives a dealer id of a feed to a lot. An id that a lot has already answers 409.',
    input: z.strictObject({ id: Id, lotId: Id }),
    output: Lot,
  }),
  release: endpoint({
    method: 'POST',
    path: '/api/customers/release-dealer-id',
    allow: can(Func.lots, Opr.update),
    summary: 'Takes a dealer id from a lot again.',
    input: z.strictObject({ lotId: Id, dealerId: z.string().trim().min(1).max(100) }),
    output: Lot,
  }),
}
