import { sql } from 'kysely'
import { MAY_ANSWER, type dataRequests } from '#contract/carbon/activity/data-requests.ts'
import type { Got } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, tooMany } from '#server/http/failure.ts'
import { findUndeliverable, type Identity, type UserEmail, writeToUser } from '#server/identity/index.ts'
import { holdOpenInventory, readOpenInventory } from '#server/carbon/inventories/hold-inventory.ts'
import { chooseCells, type RequestKind, type CellQuery } from './choose-cells.ts'
import { type CellRow, readCells } from './request-cells.ts'
import { requestVariables } from './request-emails.ts'

type Outcome = Got<typeof dataRequests.ask>
export type RequestBatch = {
  customerId: string
  inventoryId: string
  press: string
  kind: RequestKind
  cells: readonly CellQuery[]
  message: string | null
  isRepeated: boolean
  /** Who presses; null: the schedule, which writes in the name of whoever asked. */
  byName: string | null
  /** Of the schedule. */
  at?: Date
}
type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type Planned = { requestId: string; personId: string; cells: CellRow[] }
type Written = Planned & { mail: UserEmail }

/** So many mails are written for one press; each takes its turn in the thread that fills templates. */
const MOST_PEOPLE = 200
const TRIES = 3

/**
 * Writes to the people who are assigned to some sources, one mail each. Words are made first, outside of any transaction;
 * then requests and mails are kept in one, so that a mail is in line exactly where its request is known. A press that was
 * heard before answers what it did then.
 * @throws Failure 404, 409 where the inventory is frozen or there is nobody to write to.
 */
export async function sendRequests(
  identity: Identity,
  within: Within,
  press: RequestBatch,
): Promise<Outcome> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    // Each looks at what the one before found changed.
    // oxlint-disable-next-line no-await-in-loop
    const outcome = await tryToSend(identity, within, press)
    if (outcome !== null) return outcome
  }
  throw conflict('Assignments are being changed at this moment. Nobody was written to: try again.')
}

async function tryToSend(identity: Identity, within: Within, press: RequestBatch): Promise<Outcome | null> {
  const plan = await within((db) => planMails(db, identity, press))
  if (plan.known.length > 0) return { sent: plan.known, left: [] }
  const [first] = plan.left
  if (plan.planned.length === 0) throw conflict(first?.message ?? 'There is nobody to write to.')
  const written: Written[] = []
  for (const one of plan.planned) {
    const byName = press.byName ?? one.cells.find(({ asked }) => asked?.askedBy)?.asked?.askedBy ?? 'Somebody'
    // oxlint-disable-next-line no-await-in-loop
    const mail = await writeToUser(
      identity,
      { customerId: press.customerId, userId: one.personId },
      {
        key: press.kind === 'request' ? 'data-request' : 'data-reminder',
        variables: requestVariables({
          byName,
          inventory: plan.inventory,
          message: press.message,
          cells: one.cells,
        }),
        path: `/carbon/emission?inventory=${press.inventoryId}&tab=activity&request=${one.requestId}`,
      },
    )
    if (mail === null) return null
    written.push({ ...one, mail })
  }
  const known = await within((db) => saveEmails(db, identity, { ...press, written }))
  return known && { sent: known, left: plan.left }
}

async function planMails(db: Database, identity: Identity, press: RequestBatch) {
  const inventory = await readOpenInventory(db, press.inventoryId)
  const organization = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', inventory.organizationId)
    .executeTakeFirst()
  const rows = await readCells(db, press.inventoryId, press.at)
  // After the cells: where its twin was kept in between, what it asked for is quiet, and the twin is found.
  const known = await readBatch(db, press)
  const undeliverable = await findUndeliverable(identity, {
    customerId: press.customerId,
    organizationId: inventory.organizationId,
    userIds: rows.flatMap(({ personId }) => personId ?? []),
    needs: MAY_ANSWER,
  })
  const { people, left } = chooseCells(rows, press.cells, { kind: press.kind, undeliverable })
  if (people.size > MOST_PEOPLE) throw tooMany(`At most ${MOST_PEOPLE} people are written to at once.`, 1)
  const { rows: numbers } = await sql<{ id: string }>`
    select nextval('data_request_ids')::text as id from generate_series(1, ${people.size})`.execute(db)
  const planned = [...people].map(([personId, cells], at): Planned => ({
    requestId: numbers[at]?.id ?? '',
    personId,
    cells,
  }))
  return { inventory: { ...inventory, organizationName: organization?.name ?? '' }, known, planned, left }
}

/** What one press did, where it was heard before. */
async function readBatch(db: Database, { inventoryId, press }: RequestBatch): Promise<Outcome['sent']> {
  const { rows } = await sql<Outcome['sent'][number]>`
    select d.id::text as request_id, d.person_name, (select count(*)::int from data_request_cells c
      where c.customer_id = d.customer_id and c.request_id = d.id) as cells
    from data_requests d where d.inventory_id = ${inventoryId} and d.press = ${press} order by d.id`.execute(
    db,
  )
  return rows
}

/** Keeps requests and mails together; null where something is other than the mails say, so that nothing was kept. */
async function saveEmails(
  db: Database,
  { outbox }: Identity,
  press: RequestBatch & { written: readonly Written[] },
): Promise<Outcome['sent'] | null> {
  const { organizationId } = await holdOpenInventory(db, press.inventoryId)
  const known = await readBatch(db, press)
  if (known.length > 0) return known
  const now = new Map((await readCells(db, press.inventoryId, press.at)).map((row) => [row.sourceId, row]))
  const isSame = (cell: CellRow) => factsOf(now.get(cell.sourceId)) === factsOf(cell)
  if (!press.written.every(({ cells }) => cells.every(isSame))) return null
  for (const { requestId, personId, cells, mail } of press.written) {
    // oxlint-disable-next-line no-await-in-loop
    const mailId = await outbox.put(db, { ...mail, organizationId, isReminder: press.kind === 'reminder' })
    // oxlint-disable-next-line no-await-in-loop
    await db
      .insertInto('dataRequests')
      .values({
        id: requestId,
        organizationId,
        inventoryId: press.inventoryId,
        kind: press.kind,
        press: press.press,
        personId,
        personName: mail.toName,
        message: press.message,
        isRepeated: press.isRepeated,
        mailId,
        ...(press.at && { askedAt: press.at.toISOString() }),
      })
      .execute()
    // oxlint-disable-next-line no-await-in-loop
    await db
      .insertInto('dataRequestCells')
      .values(cells.map(({ sourceId, dueOn }) => ({ requestId, sourceId, organizationId, dueOn })))
      .execute()
  }
  return press.written.map(({ requestId, mail, cells }) => ({
    requestId,
    personName: mail.toName,
    cells: cells.length,
  }))
}

/** What a mail rests on: where one of these is another, it would say something wrong or come twice. */
const factsOf = (cell: CellRow | undefined): string =>
  JSON.stringify([
    cell?.personId,
    cell?.dueOn,
    cell?.asked?.requestId,
    cell?.asked?.remindedAt,
    cell?.asked?.answeredAt,
  ])
