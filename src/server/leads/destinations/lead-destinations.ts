import type { z } from 'zod'
import type { Seen } from '#contract/deletion.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import {
  destinationErrors,
  FORMER_SECRET_HOURS,
  type LeadDestination,
  leadDestinationRecord,
  type leadDestinations,
} from '#contract/leads/destinations/lead-destinations.ts'
import { isInbox } from '#contract/leads/routing/rule-choices.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { instant } from '#server/lists/json-text.ts'
import { requireUnused } from '#server/lists/uses.ts'
import type { Secrets } from '#server/secrets.ts'
import { requireCustomerReach } from '../routing/require-customer-reach.ts'
import { newWebhookSecret } from '../webhooks/sign-webhook.ts'
import { webhookSecretContext } from '../webhooks/webhook-secret.ts'
import { queueDelivery } from '../routing/queue-delivery.ts'

const stateOf = (column: RawBuilder<unknown>) => sql`(select ${column} from lead_destination_states s
  where s.customer_id = lead_destinations.customer_id and s.destination_id = lead_destinations.id)`
const count = (states: RawBuilder<SqlBool>) => sql`(select count(*)::int from lead_deliveries d
  where d.customer_id = lead_destinations.customer_id and d.destination_id = lead_destinations.id and not d.is_test
    and d.created_at > app_now() - interval '30 days' and ${states})`

const columns = columnMap(leadDestinationRecord, 'leadDestinations', {
  id: 'id',
  userId: sql`lead_destinations.user_id::text`,
  userName: sql`(select concat_ws(' ', u.first_name, u.last_name) from users u
    where u.customer_id = lead_destinations.customer_id and u.id = lead_destinations.user_id)`,
  // Without users who were deleted.
  memberIds: sql`array(select u.id::text from unnest(lead_destinations.member_ids) with ordinality m (id, place)
    join users u on u.customer_id = lead_destinations.customer_id and u.id = m.id order by m.place)`,
  members: sql`(select coalesce(json_agg(json_build_object('userId', u.id::text, 'name', concat_ws(' ', u.first_name, u.last_name),
      'until', (select a.until from lead_absences a join customers c on c.id = a.customer_id
        where a.customer_id = u.customer_id and a.user_id = u.id and a.until >= today(c.time_zone)
          and coalesce(a.from_day <= today(c.time_zone), true))) order by m.place), '[]')
    from unnest(lead_destinations.member_ids) with ordinality m (id, place)
    join users u on u.customer_id = lead_destinations.customer_id and u.id = m.id)`,
  // Of users who are still members.
  memberShares: sql`(select coalesce(jsonb_agg(s.share order by s.place), '[]')
    from jsonb_array_elements(lead_destinations.member_shares) with ordinality s (share, place)
    where (s.share ->> 'userId')::bigint = any (lead_destinations.member_ids))`,
  failingSince: stateOf(instant(sql`s.failing_since`)),
  stoppedAt: stateOf(instant(sql`s.stopped_at`)),
  stopReason: stateOf(sql`s.stop_reason`),
  delivered: count(sql`d.state = 'delivered'`),
  waiting: count(sql`d.state in ('queued', 'sending')`),
  failed: count(sql`d.state in ('failed', 'in-doubt')`),
  lastDeliveredAt: sql`(select ${instant(sql`max(d.finished_at)`)} from lead_deliveries d
    where d.customer_id = lead_destinations.customer_id and d.destination_id = lead_destinations.id and not d.is_test
      and d.state = 'delivered' and d.created_at > app_now() - interval '30 days')`,
  rules: sql`(select count(*)::int from lead_routing_rules r where r.customer_id = lead_destinations.customer_id
    and r.targets @> jsonb_build_array(jsonb_build_object('destinationId', lead_destinations.id::text)))`,
  updatedAt: 'instant',
})

/** `wake`: looks for due deliveries soon. */
type Parts = { secrets: Secrets; wake: () => void }

/** @throws Failure 404, 409 if it changed, if rules send leads to it, or while leads wait for it */
async function requireRemovable(db: Database, seen: z.output<typeof Seen>): Promise<void> {
  await requireSeen(db, seen, { table: 'leadDestinations', noun: 'destination', read: readDestination })
  const destination = await readDestination(db, seen.id)
  await requireUnused(db, { noun: 'destination', table: 'lead_destinations' }, seen.id)
  await requireNoDeliveries(db, destination)
}

/** The destinations of leads. Users of one organization see them; users with customer reach change them. */
export function leadDestinationHandlers({ secrets, wake }: Parts): Handlers<typeof leadDestinations> {
  return {
    list: async ({ db, actor }) => {
      const { rows } = await sql<LeadDestination>`select ${columns.select} from lead_destinations
        where customer_id = ${actor.customerId} order by name_key, id`.execute(db)
      return leadDestinationRecord.schema.array().parse(rows)
    },

    get: ({ db, input }) => readDestination(db, input.id),

    async add({ db, actor, input }) {
      requireCustomerReach(actor)
      return addLeadDestination(db, { secrets, customerId: actor.customerId }, input)
    },

    async update({ db, actor, input: { id, version, ...changes } }) {
      requireCustomerReach(actor)
      await sql`select from lead_destinations where id = ${id} for update`.execute(db)
      const current = await readDestination(db, id)
      if (version !== undefined && version !== current.version) throw stale('This destination', current)
      const wanted = leadDestinationRecord.schema.parse({ ...current, ...definedIn(changes) })
      if (wanted.kind !== current.kind && (isInbox(wanted.kind) || isInbox(current.kind))) {
        await requireNoDeliveries(db, current)
      }
      // Who is no longer a member has no share, unless the caller says so.
      const memberShares =
        changes.memberShares ?? wanted.memberShares.filter(({ userId }) => wanted.memberIds.includes(userId))
      await validateDestination(db, actor.customerId, { ...wanted, memberShares })
      const secret =
        wanted.kind === 'webhook' ? await keepSecret(db, id, { secrets, customerId: actor.customerId }) : null
      await explainRefusal(
        db
          .updateTable('leadDestinations')
          .set({
            version: sql`version`,
            ...writtenOf(changes),
            secretSealed: secret,
            ...(secret === null && { formerSecretSealed: null, formerSecretUntil: null }),
          })
          .where('id', '=', id)
          .execute(),
      )
      return readDestination(db, id)
    },

    async remove({ db, actor, input }) {
      requireCustomerReach(actor)
      await requireRemovable(db, input)
      await db.deleteFrom('leadDestinations').where('id', '=', input.id).execute()
      return null
    },

    async sendTest({ db, actor, input }) {
      requireCustomerReach(actor)
      const destination = await readDestination(db, input.id)
      if (isInbox(destination.kind))
        throw conflict('Leads for the inbox need no delivery, so there is nothing to test.')
      const deliveryId = await queueDelivery(db, {
        lead: { id: null, organizationId: actor.organizationId },
        destination,
        next: [],
      })
      wake()
      return { deliveryId }
    },

    async resume({ db, actor, input }) {
      requireCustomerReach(actor)
      await readDestination(db, input.id)
      await sql`update lead_destination_states set failing_since = null, stopped_at = null, stop_reason = null
        where customer_id = ${actor.customerId} and destination_id = ${input.id}`.execute(db)
      wake()
      return readDestination(db, input.id)
    },

    async secret({ db, actor, input: { id, rotate } }) {
      requireCustomerReach(actor)
      const destination = await readDestination(db, id)
      if (destination.kind !== 'webhook') throw conflict('Only webhooks have a signing secret.')
      const context = webhookSecretContext(actor.customerId)
      const { rows } = await sql<{ secretSealed: string | null; formerUntil: string | null }>`
        select secret_sealed, case when former_secret_until > app_now() then ${instant(sql`former_secret_until`)} end as former_until
        from lead_destinations where id = ${id} for update`.execute(db)
      const [{ secretSealed, formerUntil } = { secretSealed: null, formerUntil: null }] = rows
      if (!rotate && secretSealed !== null)
        return { secret: openSecret(secrets, secretSealed, context), formerUntil }
      const secret = newWebhookSecret()
      const until = new Date(clock.now() + FORMER_SECRET_HOURS * 3_600_000).toISOString()
      const former = { formerSecretSealed: secretSealed, formerSecretUntil: until }
      await db
        .updateTable('leadDestinations')
        .set({ version: sql`version`, secretSealed: secrets.seal(secret, context), ...former })
        .where('id', '=', id)
        .execute()
      return { secret, formerUntil: secretSealed === null ? null : until }
    },
  }
}

function openSecret(secrets: Secrets, sealed: string, context: string): string {
  try {
    return secrets.open(sealed, context)
  } catch {
    throw conflict("The signing secret can't be decrypted. Create a new one.")
  }
}

/** Adds a destination. @throws Failure 400 with the invalid fields, 409 if the name is in use. */
async function addLeadDestination(
  db: Database,
  { secrets, customerId }: { secrets: Secrets; customerId: string },
  input: Received<typeof leadDestinations.add>,
): Promise<LeadDestination> {
  const { kind, toEmail = null, url = null, userId = null, memberIds = [], memberShares = [] } = input
  await validateDestination(db, customerId, { kind, toEmail, url, userId, memberIds, memberShares })
  const secretSealed =
    kind === 'webhook' ? secrets.seal(newWebhookSecret(), webhookSecretContext(customerId)) : null
  const { id } = await explainRefusal(
    db
      .insertInto('leadDestinations')
      .values({ ...writtenOf(input), secretSealed })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return readDestination(db, id)
}

/** The webhook's secret, or a new one if it had none. */
async function keepSecret(
  db: Database,
  id: string,
  { secrets, customerId }: { secrets: Secrets; customerId: string },
): Promise<string> {
  const { secretSealed } = await db
    .selectFrom('leadDestinations')
    .select('secretSealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return secretSealed ?? secrets.seal(newWebhookSecret(), webhookSecretContext(customerId))
}

/** Shares are JSON text. */
const writtenOf = <Input extends { memberShares?: LeadDestination['memberShares'] | undefined }>({
  memberShares,
  ...input
}: Input) => ({
  ...columns.write(input),
  ...(memberShares !== undefined && { memberShares: JSON.stringify(memberShares) }),
})

const definedIn = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** @throws Failure 400 with the invalid fields. */
async function validateDestination(
  db: Database,
  customerId: string,
  destination: Parameters<typeof destinationErrors>[0] & Pick<LeadDestination, 'memberIds' | 'memberShares'>,
): Promise<void> {
  const errors = destinationErrors(destination)
  if (destination.kind === 'user' && destination.userId !== null) {
    const user = await db
      .selectFrom('users')
      .select('id')
      .where('customerId', '=', customerId)
      .where('id', '=', destination.userId)
      .executeTakeFirst()
    if (user === undefined) errors['userId'] = 'Choose a user of this customer.'
  }
  if (destination.kind === 'team' && destination.memberIds.length > 0) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from users u where u.customer_id = ${customerId}
        and u.id = any(${destination.memberIds}::bigint[])`.execute(db)
    if ((rows[0]?.count ?? 0) < new Set(destination.memberIds).size)
      errors['memberIds'] = 'Choose users of this customer.'
  }
  const shared = destination.memberShares.map(({ userId }) => userId)
  if (new Set(shared).size < shared.length) errors['memberShares'] = 'Each member has one weight.'
  if (shared.some((id) => !destination.memberIds.includes(id)))
    errors['memberShares'] = 'Only members of the team have a weight and caps.'
  if (Object.keys(errors).length > 0) throw refused('Some fields are invalid.', errors)
}

/** @throws Failure 409 while deliveries of leads to the destination wait. Tests don't count: they end with it. */
async function requireNoDeliveries(
  db: Database,
  { id, isActive }: Pick<LeadDestination, 'id' | 'isActive'>,
): Promise<void> {
  const waiting = await db
    .selectFrom('leadDeliveries')
    .select('id')
    .where('destinationId', '=', id)
    .where('state', 'in', ['queued', 'sending'])
    .where('isTest', '=', false)
    .limit(1)
    .executeTakeFirst()
  if (waiting !== undefined)
    throw conflict(
      isActive
        ? 'Deliveries to it are pending. Pause it, and try again when they are done.'
        : 'Deliveries that began before it was paused are still being tried. Try again when they are done.',
    )
}

/** @throws Failure 404 */
async function readDestination(db: Database, id: string): Promise<LeadDestination> {
  const { rows } = await sql<LeadDestination>`
    select ${columns.select} from lead_destinations where id = ${id}`.execute(db)
  const [destination] = rows
  if (destination === undefined) throw notFound('Destination')
  return leadDestinationRecord.schema.parse(destination)
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another destination already has this name.', { name: 'This name is already in use.' })
    }
    throw error
  }
}
