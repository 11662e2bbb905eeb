import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import { DELIVERY_WAITS, FAILOVER_WAITS } from '#contract/leads/deliveries/lead-deliveries.ts'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { Outbox } from '#server/mail/index.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { claim, isHeld, type LeaseTable } from '#server/queue/lease.ts'
import type { Secrets } from '#server/secrets.ts'
import { makeWaitingRouter } from '../routing/route-waiting.ts'
import { postWebhook, type WebhookOutcome } from '../webhooks/post-webhook.ts'
import { signWebhook } from '../webhooks/sign-webhook.ts'
import { webhookSecretContext } from '../webhooks/webhook-secret.ts'
import { readDeliveredLead, sampleLead, type DeliveredLead } from './delivered-lead.ts'
import { handOverEmails } from './hand-over-emails.ts'
import { leadJson } from './lead-documents.ts'
import { giveUpStopped, settleDeliveries } from './settle-deliveries.ts'

const DELIVERIES: LeaseTable = {
  table: 'lead_deliveries',
  keys: ['customer_id', 'id'],
  attempts: 'attempts',
  seconds: 60,
  isSent: true,
  waitsInCopy: true,
}
/** Webhooks that are called at the same time, and those of one customer, so that slow receivers of one don't delay another. */
const SLOTS = 4
const SLOTS_PER_CUSTOMER = 2

type DeliveryLease = {
  customerId: string
  id: string
  destinationId: string | null
  lease: string
  attempts: number
}

/** The parts that deliveries need. */
export type DeliveryParts = Readonly<{
  pool: pg.Pool
  queue: Kysely<DB>
  put: Outbox['put']
  secrets: Secrets
  allowsPrivate: boolean
  onError: (error: unknown) => void
}>

/**
 * Delivers leads: routes those that could not be routed when they were received, hands emails over to the outbox, which sends them, calls webhooks, and notes results in the timelines. Safe
 * to call at any time and on several servers: a lease gives each webhook to one server, and each email is handed over once, in
 * one transaction. Another server takes over what a killed one was sending; that attempt is in doubt, and the next one has the
 * same ID.
 */
export function makeDeliveryWorker(parts: DeliveryParts): { workDue: () => Promise<void>; stop: () => void } {
  let isStopping = false
  const within = <T>(customerId: string, work: (db: Database) => Promise<T>): Promise<T> =>
    inTenant(parts.pool, systemScope(customerId, 'leads.deliver'), work)
  const isOver = (): boolean => isStopping

  async function callWebhooks(): Promise<void> {
    const calls = new CallsInProgress()
    const claimNext = async () => (isStopping ? null : calls.claimNext(parts.queue))
    const slot = async (first: DeliveryLease | null): Promise<void> => {
      for (let lease = first; lease !== null;) {
        // oxlint-disable-next-line no-await-in-loop -- One call at a time per slot.
        await callOne(lease).catch(parts.onError)
        calls.end(lease)
        // oxlint-disable-next-line no-await-in-loop -- As above.
        lease = await claimNext()
      }
    }
    // Mostly there is nothing to do, which one question finds out.
    const first = await claimNext()
    if (first === null) return
    const others = Array.from({ length: SLOTS - 1 }, async () => slot(await claimNext()))
    await Promise.all([slot(first), ...others])
  }

  async function callOne(lease: DeliveryLease): Promise<void> {
    const call = await within(lease.customerId, (db) => prepareCall(db, lease.id))
    const outcome = await sendCall(call, parts)
    await within(lease.customerId, (db) => recordOutcome(db, lease, outcome))
  }

  const routeWaiting = makeWaitingRouter({ ...parts, within })
  let working: Promise<void> | null = null
  return {
    async workDue() {
      working ??= (async () => {
        await routeWaiting.run(isOver)
        await giveUpStopped({ ...parts, within })
        for (;;) {
          // oxlint-disable-next-line no-await-in-loop -- Again for what failed and went to the next destination.
          await handOverEmails({ ...parts, within, isOver })
          // oxlint-disable-next-line no-await-in-loop -- As above.
          await callWebhooks()
          // oxlint-disable-next-line no-await-in-loop -- As above.
          const { passedOn } = await settleDeliveries({ ...parts, within, isOver })
          if (passedOn === 0) return
        }
      })().finally(() => {
        working = null
      })
      await working
    },
    stop() {
      isStopping = true
    },
  }
}

/** The webhooks that this server calls now. Chooses the next one so that customers and destinations get equal shares. */
class CallsInProgress {
  readonly #calls = new Set<DeliveryLease>()
  readonly #served = new Set<string>()
  #claiming: Promise<unknown> = Promise.resolve()

  /** One claim after another, so that two slots don't choose by the same state. */
  claimNext(queue: Kysely<DB>): Promise<DeliveryLease | null> {
    const next = this.#claiming.then(async () => {
      const lease = (await this.#claim(queue)) ?? (await this.#claimOfServed(queue))
      if (lease !== null) {
        this.#calls.add(lease)
        this.#served.add(lease.customerId)
      }
      return lease
    })
    this.#claiming = next.catch(() => {})
    return next
  }

  end(lease: DeliveryLease): void {
    this.#calls.delete(lease)
  }

  /** After all customers had their turn, a new round begins. */
  async #claimOfServed(queue: Kysely<DB>): Promise<DeliveryLease | null> {
    if (this.#served.size === 0) return null
    this.#served.clear()
    return this.#claim(queue)
  }

  #claim(queue: Kysely<DB>): Promise<DeliveryLease | null> {
    const calls = [...this.#calls]
    const customers = calls.map(({ customerId }) => customerId)
    const full = customers.filter((id) => customers.filter((one) => one === id).length >= SLOTS_PER_CUSTOMER)
    const busy = calls.flatMap(({ destinationId }) => destinationId ?? [])
    return claim<DeliveryLease>(
      queue,
      DELIVERIES,
      {
        where: sql`d.kind = 'webhook' and d.state in ('queued', 'sending') and d.next_attempt_at <= app_clock_timestamp()
          and d.customer_id <> all(${[...full, ...this.#served]}::bigint[])
          and coalesce(d.destination_id, 0) <> all(${busy}::bigint[])
          and (d.is_test or not exists (select from lead_destination_states s where s.customer_id = d.customer_id
            and s.destination_id = d.destination_id and s.stopped_at is not null))`,
        orderBy: sql`d.next_attempt_at, d.customer_id, d.id`,
      },
      {
        set: sql`state = 'sending'`,
        returning: sql`t.customer_id::text, t.id::text, t.destination_id::text, t.lease, t.attempts`,
      },
    )
  }
}

type Call = Readonly<{
  customerId: string
  key: string
  url: string
  /** The present secret first. */
  secretsSealed: readonly string[]
  lead: DeliveredLead
}>

/** What to send; null if the destination was deleted. */
async function prepareCall(db: Database, id: string): Promise<Call | null> {
  const { rows } = await sql<{
    customerId: string
    key: string
    leadId: string | null
    url: string | null
    secretSealed: string | null
    formerSecretSealed: string | null
    seller: string
  }>`
    select d.customer_id::text, d.key, d.lead_id::text, t.url, t.secret_sealed,
      case when t.former_secret_until > app_now() then t.former_secret_sealed end as former_secret_sealed, c.name as seller from lead_deliveries d
    join customers c on c.id = d.customer_id
    left join lead_destinations t on t.customer_id = d.customer_id and t.id = d.destination_id
    where d.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined || row.url === null) return null
  const { customerId, key, leadId, url, secretSealed, formerSecretSealed: former, seller } = row
  const lead =
    leadId === null
      ? sampleLead(seller, clock.date().toISOString())
      : await readDeliveredLead(db, { id, leadId })
  const secretsSealed = [secretSealed, former].filter((sealed) => sealed !== null)
  return { customerId, key, url, secretsSealed, lead }
}

async function sendCall(
  call: Call | null,
  { secrets, allowsPrivate }: Pick<DeliveryParts, 'secrets' | 'allowsPrivate'>,
): Promise<WebhookOutcome> {
  if (call === null) return { kind: 'gone', status: null, response: 'The destination was deleted.' }
  const { customerId, key, url, secretsSealed, lead } = call
  if (secretsSealed.length === 0)
    return { kind: 'failed', status: null, response: 'The webhook has no signing secret. Create one.' }
  let opened: string[]
  try {
    opened = secretsSealed.map((sealed) => secrets.open(sealed, webhookSecretContext(customerId)))
  } catch {
    return {
      kind: 'failed',
      status: null,
      response: "The signing secret can't be decrypted. Create a new one.",
    }
  }
  const body = leadJson(lead)
  const headers = {
    ...signWebhook(opened, { id: key, seconds: Math.floor(clock.now() / 1000), body }),
    'idempotency-key': key,
  }
  return postWebhook(url, { body, headers, allowsPrivate })
}

/** Records the outcome, unless another server took over. */
async function recordOutcome(db: Database, lease: DeliveryLease, outcome: WebhookOutcome): Promise<void> {
  const { customerId, id, attempts, destinationId } = lease
  const waits = (of: readonly number[]) => sql`(${sql.val([...of])}::int[])`
  const schedule = sql`case when cardinality(next_destination_ids) > 0 then ${waits(FAILOVER_WAITS)} else ${waits(DELIVERY_WAITS)} end`
  const isFinal = sql<boolean>`(${outcome.kind !== 'failed'} or ${attempts} > cardinality(${schedule}))`
  const over =
    outcome.kind === 'delivered'
      ? sql`'delivered'`
      : sql`case when doubts > 0 then 'in-doubt' else 'failed' end`
  const { rows } = await sql`
    update lead_deliveries set lease = null, leased_until = null, is_settled = false,
      last_outcome = ${outcome.kind === 'delivered' ? 'delivered' : 'failed'}, last_status = ${outcome.status},
      response = ${outcome.response}, state = case when ${isFinal} then ${over} else 'queued' end,
      next_attempt_at = case when not ${isFinal} then app_now() + (${schedule})[${attempts}::int] * interval '1 second' end,
      finished_at = case when ${isFinal} then app_now() end
    where ${isHeld(DELIVERIES, { key: [customerId, id], lease: lease.lease })} returning 1`.execute(db)
  if (rows.length === 0 || outcome.kind !== 'gone' || destinationId === null) return
  await sql`
    update lead_destination_states set stopped_at = coalesce(stopped_at, app_now()),
      stop_reason = coalesce(stop_reason, 'The receiver responded that the webhook no longer exists.')
    where customer_id = ${customerId} and destination_id = ${destinationId}`.execute(db)
}
