import type pg from 'pg'
import { REMINDER_DAYS } from '#contract/carbon/activity/data-requests.ts'
import { dayAfter } from '#contract/days.ts'
import { clock } from '#server/clock.ts'
import { inTenant, type Database, type TenantScope } from '#server/database/tenant-transaction.ts'
import { Failure } from '#server/http/failure.ts'
import type { Identity } from '#server/identity/index.ts'
import { type CellRow, readCells } from './request-cells.ts'
import { sendRequests } from './send-requests.ts'

/** Scheduled emails are sent during working hours in the time zone of the organization. */
const FIRST_HOUR = 8
const LAST_HOUR = 18
/** After a server outage, a reminder is still sent this many days late. */
const DAYS_LATE = 2

/**
 * Sends the reminders that are due in every inventory. Safe to run at any time and concurrently: the idempotency key is the
 * day in the time zone of the organization, so each reminder is sent once.
 * @param queue connection pool that can only read which inventories have requests.
 */
export async function sendReminders(
  { queue, pool, identity }: { queue: pg.Pool; pool: pg.Pool; identity: Identity },
  at: Date = clock.date(),
): Promise<void> {
  const { rows } = await queue.query<{
    customer_id: string
    organization_id: string
    inventory_id: string
  }>(
    `select distinct customer_id, organization_id, inventory_id from data_requests
    where is_repeated and requested_at > $1::timestamptz - interval '400 days'
      and customer_id <> all((select closed_customers())::bigint[])
      and organization_id <> all((select archived_organizations())::bigint[]) order by 1, 2, 3`,
    [at.toISOString()],
  )
  const failed: unknown[] = []
  for (const {
    customer_id: customerId,
    organization_id: organizationId,
    inventory_id: inventoryId,
  } of rows) {
    const within = <T>(work: (db: Database) => Promise<T>) =>
      inTenant(pool, scopeOf(customerId, organizationId), work)
    try {
      // oxlint-disable-next-line no-await-in-loop
      await remindOf({ identity, within }, { customerId, inventoryId, at })
    } catch (error) {
      // The inventory was frozen, or no one can be emailed, so there are no reminders to send.
      if (!(error instanceof Failure)) failed.push(error)
    }
  }
  if (failed.length > 0)
    throw failed.length === 1 ? failed[0] : new AggregateError(failed, 'Reminders could not be sent.')
}

type ReminderContext = { identity: Identity; within: <T>(work: (db: Database) => Promise<T>) => Promise<T> }

async function remindOf(
  { identity, within }: ReminderContext,
  { customerId, inventoryId, at }: { customerId: string; inventoryId: string; at: Date },
): Promise<void> {
  const due = (await within((db) => readCells(db, inventoryId, at))).filter(isDue)
  const [first] = due
  if (first === undefined) return
  await sendRequests(identity, within, {
    customerId,
    inventoryId,
    kind: 'reminder',
    idempotencyKey: `schedule ${first.today}`,
    cells: due.map(({ sourceId }) => ({ sourceId, isAgain: false })),
    message: null,
    isRepeated: true,
    byName: null,
    at,
  })
}

/** A reminder day has come, and they weren't emailed on it or since. */
export function isDue({
  asked,
  dueOn,
  lastDay,
  today,
  hour,
}: Pick<CellRow, 'asked' | 'dueOn' | 'lastDay' | 'today' | 'hour'>): boolean {
  if (asked === null || asked.answeredAt !== null || !asked.isRepeated || asked.isQuiet) return false
  if (dueOn === null || lastDay === null || hour < FIRST_HOUR || hour >= LAST_HOUR) return false
  const day = REMINDER_DAYS.map((days) => dayAfter(dueOn, days)).findLast((one) => one <= today)
  return day !== undefined && lastDay < day && today <= dayAfter(day, DAYS_LATE)
}

const scopeOf = (customerId: string, organizationId: string): TenantScope => ({
  customerId,
  organizationId,
  reach: 'organization',
  actorUserId: null,
  actorName: null,
  effectiveUserId: null,
  effectiveName: null,
  endpoint: 'carbon-reminders',
  isReadOnly: false,
})
