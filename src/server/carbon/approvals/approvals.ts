import { sql } from 'kysely'
import type { ApprovalFile, inventoryApprovals } from '#contract/carbon/approvals/approvals.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { isIntact, snapshotDownload } from '#server/snapshots/snapshot-files.ts'
import { findInventory } from '../inventories/find-inventory.ts'

/** The frozen files of approvals: listed, downloaded as they were stored, and checked. */
export const approvalFileHandlers: Handlers<typeof inventoryApprovals> = {
  async list({ db, input: { inventory } }) {
    await findInventory(db, inventory)
    const { rows: files } = await sql<ApprovalFile>`
      select a.id::text, a.name, a.sha256, a.size::int, a.lines, a.made_by, ${instant(sql`a.made_at`)} as made_at,
        trim_scale(e.location)::text as location, trim_scale(e.market)::text as market, e.reason, e.gaps
      from inventory_approvals a join inventory_status_events e on e.customer_id = a.customer_id and e.id = a.event_id
      where a.inventory_id = ${inventory} order by a.id desc`.execute(db)
    const { rows } = await sql<{ withoutFile: number }>`
      select count(*)::int as without_file from inventory_status_events e
      where e.inventory_id = ${inventory} and e.former_status = 'in_review' and e.status = 'approved'
        and not exists (select from inventory_approvals a where a.customer_id = e.customer_id and a.event_id = e.id)`.execute(
      db,
    )
    return { files, withoutFile: rows[0]?.withoutFile ?? 0 }
  },

  async download({ inTenant, input: { id } }) {
    const { name, madeOn } = await inTenant((db) => findApproval(db, id))
    return snapshotDownload(
      `${name}, approved ${madeOn}.json`,
      readParts((number) => inTenant((db) => readPart(db, id, number))),
    )
  },

  async verify({ inTenant, input: { id, sha256 } }) {
    const approval = await inTenant((db) => findApproval(db, id))
    const parts = readParts((number) => inTenant((db) => readPart(db, id, number)))
    return {
      isIntact: await isIntact(parts, approval.sha256),
      matchesId:
        sha256 === undefined ? null : await inTenant((db) => findByHash(db, approval.inventoryId, sha256)),
    }
  },
}

type ApprovalRow = { inventoryId: string; name: string; sha256: string; madeOn: string }

/** @throws Failure 404 if it isn't accessible. */
async function findApproval(db: Database, id: string): Promise<ApprovalRow> {
  const { rows } = await sql<ApprovalRow>`
    select a.inventory_id::text, a.name, a.sha256, (a.made_at at time zone o.time_zone)::date::text as made_on
    from inventory_approvals a join organizations o on o.customer_id = a.customer_id and o.id = a.organization_id
    where a.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Approval')
  return found
}

async function findByHash(db: Database, inventoryId: string, sha256: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id::text from inventory_approvals where inventory_id = ${inventoryId} and sha256 = ${sha256} order by id desc`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

async function readPart(db: Database, approvalId: string, number: number): Promise<string | null> {
  const part = await db
    .selectFrom('inventoryApprovalParts')
    .select('content')
    .where('approvalId', '=', approvalId)
    .where('number', '=', number)
    .executeTakeFirst()
  return part?.content ?? null
}

/** The parts in their order, each read on its own, so that a slow download holds no transaction open. */
async function* readParts(read: (number: number) => Promise<string | null>): AsyncGenerator<string> {
  for (let number = 1; ; number += 1) {
    // oxlint-disable-next-line no-await-in-loop
    const part = await read(number)
    if (part === null) return
    yield part
  }
}
