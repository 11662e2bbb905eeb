import { sql } from 'kysely'
import {
  type DataRequest,
  type dataRequests,
  MAY_ANSWER,
  type OpenRequest,
} from '#contract/carbon/activity/data-requests.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { findUndeliverable, type Identity } from '#server/identity/index.ts'
import { readInventory } from '#server/carbon/inventories/inventory-rows.ts'
import { enteredSince, readCells } from './request-cells.ts'
import { sendRequests } from './send-requests.ts'

/** Data requests: who was asked for which sources, and sending requests and reminders. */
export const dataRequestHandlers = (identity: Identity): Handlers<typeof dataRequests> => ({
  async list({ actor, inTenant, input }) {
    const { organizationId, rows } = await inTenant(async (db) => ({
      // 404 if it isn't accessible, rather than an empty list.
      organizationId: (await readInventory(db, input.inventory)).organizationId,
      rows: await readCells(db, input.inventory),
    }))
    const undeliverable = await findUndeliverable(identity, {
      customerId: actor.customerId,
      organizationId,
      userIds: rows.flatMap(({ dataOwnerId }) => dataOwnerId ?? []),
      needs: MAY_ANSWER,
    })
    return rows.map((row) => ({
      ...row,
      problem:
        row.dataOwnerId === null
          ? 'No data owner is assigned.'
          : (undeliverable.get(row.dataOwnerId) ?? null),
    }))
  },

  get: ({ db, actor, input }) => readRequest(db, actor, input.id),

  mine: ({ db, actor }) => readOpen(db, actor),

  ask: ({ actor, inTenant, input }) =>
    sendRequests(identity, inTenant, {
      ...input,
      kind: 'request',
      customerId: actor.customerId,
      byName: actor.fullName,
    }),

  remind: ({ actor, inTenant, input }) =>
    sendRequests(identity, inTenant, {
      ...input,
      kind: 'reminder',
      isRepeated: true,
      customerId: actor.customerId,
      byName: actor.fullName,
    }),
})

/** @throws Failure 404 if it isn't accessible. */
async function readRequest(db: Database, { effectiveUserId }: Member, id: string): Promise<DataRequest> {
  const { rows } = await sql<Omit<DataRequest, 'cells'>>`
    select id::text, inventory_id::text, kind, data_owner_name, coalesce(data_owner_id = ${effectiveUserId}, false) as is_mine,
      requested_at, requested_by, message
    from data_requests where id = ${id}`.execute(db)
  const [request] = rows
  if (request === undefined) throw notFound('Request')
  const { rows: cells } = await sql<DataRequest['cells'][number]>`
    select s.id::text as source_id, f.name as facility_name, s.source_type, s.name as source_name, s.label as source_label, c.due_on::text, a.answered_at
    from data_request_cells c
    join data_requests d on d.customer_id = c.customer_id and d.id = c.request_id
    join emission_sources s on s.customer_id = c.customer_id and s.id = c.source_id
    join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
    left join lateral (${enteredSince(sql`s.id`, sql`d.requested_at`)}) a on true
    where c.request_id = ${id} and not s.closed order by f.code, s.source_type, s.id`.execute(db)
  return { ...request, cells }
}

/** The latest request for each source that is still assigned to the caller, if its inventory is open and there is no data yet. */
async function readOpen(db: Database, { effectiveUserId }: Member): Promise<OpenRequest[]> {
  const { rows } = await sql<OpenRequest>`
    select d.id::text as request_id, i.id::text as inventory_id, i.name as inventory_name, count(*)::int as unanswered,
      min(s.due_on)::text as due_on, d.requested_by
    from data_requests d
    join data_request_cells c on c.customer_id = d.customer_id and c.request_id = d.id
    join emission_sources s on s.customer_id = c.customer_id and s.id = c.source_id
    join carbon_inventories i on i.customer_id = d.customer_id and i.id = d.inventory_id
    join inventory_facilities p on p.customer_id = s.customer_id and p.inventory_id = s.inventory_id
      and p.facility_id = s.facility_id
    where d.data_owner_id = ${effectiveUserId} and d.kind = 'request' and s.data_owner_id = d.data_owner_id and not s.closed
      and not p.excluded and i.status in ('draft', 'collecting', 'in_review')
      and not exists (select from data_request_cells n
        join data_requests l on l.customer_id = n.customer_id and l.id = n.request_id
        where n.customer_id = c.customer_id and n.organization_id = c.organization_id and n.source_id = c.source_id
          and l.kind = 'request' and l.data_owner_id = d.data_owner_id and l.id > d.id)
      and (${enteredSince(sql`s.id`, sql`d.requested_at`)}) is null
    group by d.customer_id, d.id, i.customer_id, i.id
    order by min(s.due_on) nulls last, d.id limit 50`.execute(db)
  return rows
}
