import { sql } from 'kysely'
import { customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { customPartsOf } from '#contract/inventory/channels/listings/own-columns.ts'
import { flawsOf, type NewChannel } from '#contract/inventory/channels/channel-schema.ts'
import {
  type Channel,
  ChannelRuns,
  type channels,
  KEPT_RUNS,
  MOST_HELD,
} from '#contract/inventory/channels/channels.ts'
import { jsonLdOf } from '#contract/inventory/channels/listings/json-ld.ts'
import { reasonsAgainst } from '#contract/inventory/channels/listings/hold-back.ts'
import { readCustomFields } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import type { Secrets } from '#server/secrets.ts'
import { sentFields } from '#server/http/sent-fields.ts'
import { secretContext } from './channel-row.ts'
import { nextBySchedule } from './channel-lease.ts'
import { listChannels, readChannel } from './channel-list.ts'
import { listingOf, problemOf, readListings, readWays, useCustomerZone } from './listings.ts'

export type ChannelWays = {
  secrets: Secrets
  /** Where the product is reached. */
  base: () => string
  /** Called when a channel became due. */
  onDue: () => void
}

/** The places that take a customer's vehicles: read by everybody who may, kept by those who reach all of it. */
export function channelHandlers({ secrets, base, onDue }: ChannelWays): Handlers<typeof channels> {
  const read = (db: Database, actor: Member, id: string) =>
    readChannel(db, id, { actor, secrets, base: base() })

  return {
    list: ({ db, actor, input }) => listChannels(db, actor, input),

    get: ({ db, actor, input }) => read(db, actor, input.id),

    async add({ db, actor, input }) {
      requireCustomerReach(actor, 'Channels are kept')
      const id = await addChannel(db, { customerId: actor.customerId, secrets }, input)
      onDue()
      return read(db, actor, id)
    },

    async update({ db, actor, input: { id, version, secret, ...changes } }) {
      requireCustomerReach(actor, 'Channels are kept')
      await sql`select 1 from channels where id = ${id} for update`.execute(db)
      const current = await read(db, actor, id)
      if (version !== undefined && version !== current.version) throw stale('This channel', current)
      const asked = { ...settingsOf(current), ...sentFields(changes) }
      await refuseWrong(db, actor.customerId, asked)
      const wanted = columnsOf(asked)
      const { customerId } = actor
      const context = secretContext({ ...wanted, customerId })
      const isElsewhere = context !== secretContext({ ...settingsOf(current), customerId })
      if (isElsewhere && current.hasSecret && secret === null && wanted.destination !== 'pull') {
        throw refused('Some fields are not right.', {
          secret: 'Give it again: the one that is kept was given for another server or user.',
        })
      }
      await explainRefusal(
        db
          .updateTable('channels')
          .set(wanted)
          .$if(secret !== null || isElsewhere, (change) =>
            change.set({ secretSealed: secret === null ? null : secrets.seal(secret, context) }),
          )
          .where('id', '=', id)
          .execute(),
      )
      await makeDue(db, id)
      onDue()
      return read(db, actor, id)
    },

    async remove({ db, actor, input }) {
      requireCustomerReach(actor, 'Channels are kept')
      const removed = await db
        .deleteFrom('channels')
        .where('id', '=', input.id)
        .returning('id')
        .executeTakeFirst()
      if (removed === undefined) throw notFound('Channel')
      return null
    },

    async run({ db, actor, input }) {
      requireCustomerReach(actor, 'Channels are kept')
      await read(db, actor, input.id)
      // One that is under way is what was asked for.
      await sql`update channel_states set next_run_at = app_now(), asked_by = ${actor.fullName}, failures = 0
        where channel_id = ${input.id} and coalesce(leased_until <= app_now(), true)`.execute(db)
      onDue()
      return null
    },

    async renewAddress({ db, actor, input }) {
      requireCustomerReach(actor, 'Channels are kept')
      await read(db, actor, input.id)
      await db
        .updateTable('channels')
        .set({ addressNumber: sql`address_number + 1` })
        .where('id', '=', input.id)
        .execute()
      return read(db, actor, input.id)
    },

    async forgetHostKey({ db, actor, input }) {
      requireCustomerReach(actor, 'Channels are kept')
      await read(db, actor, input.id)
      await db
        .updateTable('channelStates')
        .set({ hostKey: null, hostKeyOf: null })
        .where('channelId', '=', input.id)
        .execute()
      return read(db, actor, input.id)
    },

    async runs({ db, actor, input }) {
      await read(db, actor, input.id)
      const runs = await db
        .selectFrom('channelRuns')
        .select(['id', 'state', 'askedBy', 'startedAt', 'endedAt', 'offered', 'held', 'reasons', 'said'])
        .select(sql<number>`bytes::float8`.as('bytes'))
        .where('channelId', '=', input.id)
        .orderBy('id', 'desc')
        .limit(KEPT_RUNS)
        .execute()
      const last = runs[0]?.id ?? '0'
      const held = await db
        .selectFrom('channelHeld')
        .select(['vehicleId', 'title', 'reasons'])
        .where('runId', '=', last)
        .orderBy('title')
        .orderBy('vehicleId')
        .limit(MOST_HELD)
        .execute()
      // The contract holds what the database has only as JSON and text against its names.
      return ChannelRuns.parse({ runs, held })
    },

    async ofVehicle({ db, actor, input }) {
      const { customerId } = actor
      const zone = await useCustomerZone(db, customerId)
      const { pictureAddress } = await readWays(db, { customerId, base: base(), secrets })
      const all = await db
        .selectFrom('channels')
        .select(['id', 'name', 'kind', 'isActive', 'rule', 'pageTemplate'])
        .orderBy('nameKey')
        .execute()
      const [row] = await readListings(db, { customerId, rule: '', zone, id: input.id })
      if (row === undefined) throw notFound('Vehicle')
      const opinions = []
      for (const { id, name, kind, isActive, rule, pageTemplate } of all) {
        const [meant] = rule === '' ? [row] : await readListings(db, { customerId, rule, zone, id: input.id })
        const reasons = reasonsAgainst(kind, listingOf(row, { pictureAddress, pageTemplate }))
        const leftOut = meant?.isMeant ? [] : (['leftOut'] as const)
        opinions.push({ channelId: id, name, kind, isActive, reasons: [...leftOut, ...reasons] })
      }
      const pageTemplate = all.find((one) => one.pageTemplate !== null)?.pageTemplate ?? null
      return { channels: opinions, jsonLd: jsonLdOf(listingOf(row, { pictureAddress, pageTemplate })) }
    },
  }
}

/** Adds a channel; with a schedule it is due at once. @returns its number. @throws Failure 400, 409 */
export async function addChannel(
  db: Database,
  { customerId, secrets }: { customerId: string; secrets: Secrets },
  { secret, ...given }: NewChannel,
): Promise<string> {
  await refuseWrong(db, customerId, given)
  const columns = columnsOf(given)
  const sealed = secret === null ? null : secrets.seal(secret, secretContext({ ...columns, customerId }))
  const { id } = await explainRefusal(
    db
      .insertInto('channels')
      .values({ ...columns, secretSealed: columns.destination === 'pull' ? null : sealed })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await db.insertInto('channelStates').values({ channelId: id }).execute()
  await makeDue(db, id)
  return id
}

/** A saved change goes out at once where the channel has a schedule; what was sent before says nothing any more. */
async function makeDue(db: Database, id: string): Promise<void> {
  await sql`update channel_states s set sent_hash = null, sent_offered = null, failures = 0,
      next_run_at = case when (${nextBySchedule}) is null then null else app_now() end
    from channels ch join customers c on c.id = ch.customer_id
    where ch.customer_id = s.customer_id and ch.id = s.channel_id and s.channel_id = ${id}`.execute(db)
}

type ChannelInput = Omit<NewChannel, 'secret'>

function settingsOf(channel: Channel): ChannelInput {
  const { name, kind, format, isActive, rule, pageTemplate, columns, destination } = channel
  const { host, port, remotePath, userName, everyHours, dailyAt } = channel
  const way = { destination, host, port, remotePath, userName }
  return { name, kind, format, isActive, rule, pageTemplate, columns, ...way, everyHours, dailyAt }
}

/** What does not belong to the destination or the kind is not kept. */
function columnsOf(given: ChannelInput) {
  const { columns, ...kept } = given
  const own = { ...kept, columns: JSON.stringify(given.kind === 'csv' ? columns : []) }
  if (given.destination !== 'pull') return own
  return { ...own, host: null, port: null, remotePath: null, userName: null }
}

async function refuseWrong(db: Database, customerId: string, given: ChannelInput): Promise<void> {
  const problem = problemOf(given.rule)
  const parts = given.kind === 'csv' ? customPartsOf(given.columns) : []
  const own = parts.length === 0 ? [] : (await readCustomFields(db, customerId)).map(customFieldName)
  const unknown = parts
    .filter(({ name }) => !own.includes(name))
    .map(({ at, name }) => [`columns.${at}.value`, `There is no custom field {${name}}.`])
  const wrong = {
    ...Object.fromEntries(unknown),
    ...flawsOf(given),
    ...(problem !== null && { rule: problem }),
  }
  if (Object.keys(wrong).length > 0) throw refused('Some fields are not right.', wrong)
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another channel already has this name.', { name: 'This name is already in use.' })
    }
    throw error
  }
}
