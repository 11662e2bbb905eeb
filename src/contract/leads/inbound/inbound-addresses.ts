import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { field, flag, record, requiredText } from '#contract/record.ts'
import { INBOUND_MESSAGES } from './inbound-messages.ts'

/**
 * An address that a lead provider sends leads to. It belongs to the organization of its lot; one for all stores belongs to the
 * organization that has the leads whose store isn't found.
 */
export const inboundAddressRecord = record(
  {
    label: requiredText('Label', 80),
    sourceName: requiredText('Lead source', 60),
    /** The store of each lead is found by what it says. Only users with access to the whole customer have such addresses. */
    isGroup: flag('For all stores', { initial: false }),
    /** Null for all stores, and after the lot was deleted. */
    lotId: field('Lot', { input: Id.nullable().optional(), stored: z.string().nullable(), blank: null }),
  },
  {
    readOnly: {
      lotName: z.string().nullable(),
      organizationName: z.string(),
      /** Null: it has no URLs, or they were revoked. */
      tokenAt: Instant.nullable(),
      lastReceivedAt: Instant.nullable(),
      /** In the last 30 days. Leads that were sent again don't count. */
      messages: z.number().int(),
      leads: z.number().int(),
      /** Emails that looked automatic in the last 30 days. None of them became a lead by itself. */
      automatic: z.number().int(),
      /** That still need review, however old. */
      quarantined: z.number().int(),
    },
  },
)
export type InboundAddress = z.infer<typeof inboundAddressRecord.schema>

/** The ends of both URLs. They are shown once. */
const InboundUrls = z.object({ adfPath: z.string(), mailPath: z.string() })
export type InboundUrls = z.infer<typeof InboundUrls>

const LIST = '/api/customers/get-inbound-addresses'
const ONE = '/api/customers/edit-inbound-address/{id}'
const byId = z.strictObject({ id: Id })

export const inboundAddresses = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.leadRouting, Opr.list),
    summary: 'Lists the addresses that lead providers send leads to, with what arrived in the last 30 days.',
    output: z.array(inboundAddressRecord.schema),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.leadRouting, Opr.read),
    summary: 'Returns one inbound address.',
    input: byId,
    output: inboundAddressRecord.schema,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-inbound-address',
    allow: can(Func.leadRouting, Opr.create),
    summary:
      'Adds an inbound address for a lot, or with `isGroup` for all stores: the store of each lead is then found by vendor name, dealer code, dealer ID, VIN, stock number, make or ZIP code. Its URLs are created separately.',
    input: inboundAddressRecord.create,
    output: inboundAddressRecord.schema,
    changes: [LIST],
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-inbound-address',
    allow: can(Func.leadRouting, Opr.update),
    summary: 'Updates an inbound address. A stale version returns 409 with the current address.',
    input: inboundAddressRecord.update,
    output: inboundAddressRecord.schema,
    changes: [LIST, ONE, INBOUND_MESSAGES],
  }),
  renewUrls: endpoint({
    method: 'POST',
    path: '/api/customers/renew-inbound-address-urls',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Creates the URLs of an inbound address. They are returned only once, and earlier ones return 404 immediately.',
    input: byId,
    output: InboundUrls,
    changes: [LIST, ONE],
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/customers/revoke-inbound-address',
    allow: can(Func.leadRouting, Opr.update),
    summary: 'Revokes the URLs of an inbound address: they return 404 immediately.',
    input: byId,
    output: inboundAddressRecord.schema,
    changes: [LIST, ONE],
  }),
  remove: endpoint({
    ...deletionOf(inboundAddressRecord.schema),
    path: '/api/customers/delete-inbound-address/{id}',
    allow: can(Func.leadRouting, Opr.delete),
    summary:
      "Deletes an inbound address and its messages that aren't leads. Its leads are kept. Rejected while messages need review.",
    changes: [LIST, INBOUND_MESSAGES],
  }),
}
