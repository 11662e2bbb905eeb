import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { chosenId, Id, Instant, optionalLine, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** A lead that went from one store to another one, or was copied to it. */
export const LeadMove = z.object({
  id: z.string(),
  /** The lead, or the copy. */
  leadId: z.string(),
  isCopy: z.boolean(),
  /** Of a copy: the lead that stayed; null if it was deleted. */
  originalId: z.string().nullable(),
  /** Null: it had no store yet. */
  fromName: z.string().nullable(),
  toName: z.string(),
  reason: z.string().nullable(),
  at: Instant,
  /** Null: a rule. */
  byName: z.string().nullable(),
  undoneAt: Instant.nullable(),
})
export type LeadMove = z.infer<typeof LeadMove>

/** A lead that is at another store now, as its former store sees it. */
export const MovedLead = LeadMove.extend({
  /** The buyer's name, email address or phone number. */
  personName: z.string(),
  vehicleTitle: z.string().nullable(),
  receivedAt: Instant,
})
export type MovedLead = z.infer<typeof MovedLead>

/** A store that a lead can be sent to. */
export const LeadStore = z.object({
  lotId: z.string(),
  name: z.string(),
  organizationName: z.string(),
  isCurrent: z.boolean(),
})
export type LeadStore = z.infer<typeof LeadStore>

const LIST = '/api/customers/get-leads'
const ONE = '/api/customers/edit-lead/{id}'
const COUNTS = '/api/customers/get-lead-counts'
const REPORT = '/api/customers/get-lead-responses'
const MOVED = '/api/customers/get-moved-leads'
const STORES = '/api/customers/get-lead-store-counts'
const CHANGED = [LIST, ONE, COUNTS, STORES, REPORT, MOVED] as const
/** The most moved leads that are listed. */
export const MAX_MOVED = 200

const Sending = z.strictObject({
  id: Id,
  version: Version,
  lotId: chosenId('Choose a store.'),
  reason: optionalLine(500, 'Reason'),
})

export const leadMoves = {
  stores: endpoint({
    method: 'GET',
    path: '/api/customers/get-lead-stores',
    allow: can(Func.leads, Opr.read),
    summary:
      'Lists the stores that the caller can move or copy a lead to: those of the lead’s organization, those that the caller can see, and all stores of the customer for the manager of its store, for users with access to the whole customer, and for leads that have no store yet.',
    input: z.strictObject({ id: Id }),
    output: z.array(LeadStore),
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/customers/move-lead',
    allow: can(Func.leads, Opr.update),
    summary:
      'Moves a lead to another store of the customer, with its conversation and its consents. It is routed by the rules again, and its response deadline starts there. The former store sees that it was moved. A reason is required unless the lead had no store yet.',
    input: Sending,
    output: LeadMove,
    // The lead, as a call that changes it returns it.
    current: z.looseObject({ id: z.string(), version: z.number() }),
    changes: CHANGED,
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/customers/copy-lead',
    allow: can(Func.leads, Opr.update),
    summary:
      'Copies a lead to another store of the customer, which works on it on its own. The copy has what the buyer sent and their consents, without the conversation, and both leads name each other. A reason is required.',
    input: Sending,
    output: LeadMove,
    // The lead, as a call that changes it returns it.
    current: z.looseObject({ id: z.string(), version: z.number() }),
    changes: CHANGED,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/customers/undo-lead-move',
    allow: can(Func.leads, Opr.update),
    summary:
      'Puts a moved lead back, with its former owner and deadlines, or deletes a copy. Returns 409 once someone at the new store has accepted or answered it, or it was moved on.',
    input: z.strictObject({ id: Id }),
    output: LeadMove,
    changes: CHANGED,
  }),
  moved: endpoint({
    method: 'GET',
    path: MOVED,
    allow: can(Func.leads, Opr.list),
    summary: `Lists the latest ${MAX_MOVED} leads of the caller's stores that are at another store now: who moved them, where to and why, without what happened there.`,
    output: z.array(MovedLead),
  }),
}
