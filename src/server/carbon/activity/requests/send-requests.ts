import { sql } from 'kysely'
import { MAY_ANSWER, type dataRequests } from '#contract/carbon/activity/data-requests.ts'
import type { Output } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, tooMany } from '#server/http/failure.ts'
import { findUndeliverable, type Identity, type UserEmail, writeToUser } from '#server/identity/index.ts'
import { lockOpenInventoryRow, readOpenInventory } from '#server/carbon/staleness/lock-inventory-row.ts'
import { chooseCells, type RequestKind, type CellQuery } from './choose-cells.ts'
import { type CellRow, readCells } from './request-cells.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'

/** The most sources listed in an email. The page behind its link lists all of them. */
const MOST_NAMED = 200

type About = {
  byName: string
  inventory: { name: string; organizationName: string; periodStart: string; periodEnd: string }
  message: string | null
  cells: readonly CellRow[]
}

/** The template variables of a request and a reminder, except the reader and the link. */
function requestVariables({ byName, inventory, message, cells }: About): Record<string, string> {
  const period = `${writeDay(inventory.periodStart)} to ${writeDay(inventory.periodEnd)}`
  const lines = cells.slice(0, MOST_NAMED).map((cell) => {
    const { facilityName, dueOn } = cell
    const what = `${sourceTitle(cell)} at ${facilityName}`
    return [what, period, ...(dueOn === null ? [] : [`due ${writeDay(dueOn)}`])].join(', ')
  })
  const more = cells.length - lines.length
  const [due] = cells.flatMap(({ dueOn }) => dueOn ?? []).toSorted()
  return {
    byName,
    inventory: inventory.name,
    organization: inventory.organizationName,
    rows: cells.length === 1 ? '1 source' : `${cells.length} sources`,
    due: due === undefined ? '' : writeDay(due),
    cells: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    message: message ?? '',
  }
}

type Outcome = Output<typeof dataRequests.ask>
export type RequestBatch = {
  customerId: string
  inventoryId: string
  idempotencyKey: string
  kind: RequestKind
  cells: readonly CellQuery[]
  message: string | null
  isRepeated: boolean
  /** The sender; null: the schedule, which writes on behalf of the original sender. */
  byName: string | null
  /** The time of a scheduled run. */
  at?: Date
}
type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type Planned = { requestId: string; dataOwnerId: string; cells: CellRow[] }
type WrittenRequest = Planned & { mail: UserEmail }

/** The most emails in one batch. Each is rendered in the template worker. */
const MOST_PEOPLE = 200
const TRIES = 3

/**
 * Emails the data owners of sources, one email per person. Emails are rendered first, outside any transaction; then the
 * requests and emails are saved in one transaction, so that neither exists without the other. A batch that was processed
 * before returns its original result.
 * @throws Failure 404, or 409 if the inventory is frozen or there is no one to email.
 */
export async function sendRequests(
  identity: Identity,
  within: Within,
  batch: RequestBatch,
): Promise<Outcome> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    // Each attempt starts from the current data.
    // oxlint-disable-next-line no-await-in-loop
    const outcome = await tryToSend(identity, within, batch)
    if (outcome !== null) return outcome
  }
  throw conflict('Assignments are being changed right now, so no emails were sent. Try again.')
}

async function tryToSend(identity: Identity, within: Within, batch: RequestBatch): Promise<Outcome | null> {
  const plan = await within((db) => planMails(db, identity, batch))
  if (plan.known.length > 0) return { sent: plan.known, left: [] }
  const [first] = plan.left
  if (plan.planned.length === 0) throw conflict(first?.message ?? 'There is no one to email.')
  const written: WrittenRequest[] = []
  for (const one of plan.planned) {
    const byName =
      batch.byName ?? one.cells.find(({ asked }) => asked?.requestedBy)?.asked?.requestedBy ?? 'Someone'
    // oxlint-disable-next-line no-await-in-loop
    const mail = await writeToUser(
      identity,
      { customerId: batch.customerId, userId: one.dataOwnerId },
      {
        key: batch.kind === 'request' ? 'data-request' : 'data-reminder',
        variables: requestVariables({
          byName,
          inventory: plan.inventory,
          message: batch.message,
          cells: one.cells,
        }),
        path: `/carbon/emission?inventory=${batch.inventoryId}&tab=activity&request=${one.requestId}`,
      },
    )
    if (mail === null) return null
    written.push({ ...one, mail })
  }
  const known = await within((db) => saveEmails(db, identity, { ...batch, written }))
  return known && { sent: known, left: plan.left }
}

async function planMails(db: Database, identity: Identity, batch: RequestBatch) {
  const inventory = await readOpenInventory(db, batch.inventoryId)
  const organization = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', inventory.organizationId)
    .executeTakeFirst()
  const rows = await readCells(db, batch.inventoryId, batch.at)
  // After the cells: if the same batch was saved in between, its sources are quiet, and the batch is found here.
  const known = await readBatch(db, batch)
  const undeliverable = await findUndeliverable(identity, {
    customerId: batch.customerId,
    organizationId: inventory.organizationId,
    userIds: rows.flatMap(({ dataOwnerId }) => dataOwnerId ?? []),
    needs: MAY_ANSWER,
  })
  const { people, left } = chooseCells(rows, batch.cells, { kind: batch.kind, undeliverable })
  if (people.size > MOST_PEOPLE)
    throw tooMany(`Select sources of at most ${MOST_PEOPLE} people at a time.`, 1)
  const { rows: numbers } = await sql<{ id: string }>`
    select nextval('data_request_ids')::text as id from generate_series(1, ${people.size})`.execute(db)
  const planned = [...people].map(([dataOwnerId, cells], at): Planned => ({
    requestId: numbers[at]?.id ?? '',
    dataOwnerId,
    cells,
  }))
  return { inventory: { ...inventory, organizationName: organization?.name ?? '' }, known, planned, left }
}

/** The result of a batch that was processed before. */
async function readBatch(
  db: Database,
  { inventoryId, idempotencyKey }: RequestBatch,
): Promise<Outcome['sent']> {
  const { rows } = await sql<Outcome['sent'][number]>`
    select d.id::text as request_id, d.data_owner_name, (select count(*)::int from data_request_cells c
      where c.customer_id = d.customer_id and c.request_id = d.id) as cells
    from data_requests d where d.inventory_id = ${inventoryId} and d.idempotency_key = ${idempotencyKey} order by d.id`.execute(
    db,
  )
  return rows
}

/** Saves requests and emails together; returns null without saving if the data changed since the emails were rendered. */
async function saveEmails(
  db: Database,
  { outbox }: Identity,
  batch: RequestBatch & { written: readonly WrittenRequest[] },
): Promise<Outcome['sent'] | null> {
  const { organizationId } = await lockOpenInventoryRow(db, batch.inventoryId)
  const known = await readBatch(db, batch)
  if (known.length > 0) return known
  const now = new Map((await readCells(db, batch.inventoryId, batch.at)).map((row) => [row.sourceId, row]))
  const isSame = (cell: CellRow) => factsOf(now.get(cell.sourceId)) === factsOf(cell)
  if (!batch.written.every(({ cells }) => cells.every(isSame))) return null
  for (const { requestId, dataOwnerId, cells, mail } of batch.written) {
    // oxlint-disable-next-line no-await-in-loop
    const mailId = await outbox.put(db, { ...mail, organizationId, isReminder: batch.kind === 'reminder' })
    // oxlint-disable-next-line no-await-in-loop
    await db
      .insertInto('dataRequests')
      .values({
        id: requestId,
        organizationId,
        inventoryId: batch.inventoryId,
        kind: batch.kind,
        idempotencyKey: batch.idempotencyKey,
        dataOwnerId,
        dataOwnerName: mail.toName,
        message: batch.message,
        isRepeated: batch.isRepeated,
        mailId,
        ...(batch.at && { requestedAt: batch.at.toISOString() }),
      })
      .execute()
    // oxlint-disable-next-line no-await-in-loop
    await db
      .insertInto('dataRequestCells')
      .values(cells.map(({ sourceId, dueOn }) => ({ requestId, sourceId, organizationId, dueOn })))
      .execute()
  }
  return batch.written.map(({ requestId, mail, cells }) => ({
    requestId,
    dataOwnerName: mail.toName,
    cells: cells.length,
  }))
}

/** The facts an email depends on. If one of them changed, the email would be wrong or a duplicate. */
const factsOf = (cell: CellRow | undefined): string =>
  JSON.stringify([
    cell?.dataOwnerId,
    cell?.dueOn,
    cell?.asked?.requestId,
    cell?.asked?.remindedAt,
    cell?.asked?.answeredAt,
  ])
