import { sql } from 'kysely'
import { customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { customPartsOf } from '#contract/channels/listings/custom-columns.ts'
import { findSettingErrors, type NewChannel } from '#contract/channels/channels/channel-schema.ts'
import {
  type Channel,
  ChannelRuns,
  type channels,
  KEPT_RUNS,
  MAX_CHANNELS,
  MAX_EXCLUDED,
} from '#contract/channels/channels/channels.ts'
import { jsonLdOf } from '#contract/channels/listings/json-ld.ts'
import { exclusionReasons } from '#contract/channels/listings/exclusion-reasons.ts'
import { holdCustomFields, useLotTimeZones } from '#server/customers/index.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import { findLostLot } from '#server/lists/read-loose-references.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import type { Secrets } from '#server/secrets.ts'
import { sentFields } from '#server/http/sent-fields.ts'
import { secretContext } from './channel-row.ts'
import { nextBySchedule } from './channel-lease.ts'
import { listChannels, readChannel } from './channel-list.ts'
import { stopAdvertising } from '#server/pricing/index.ts'
import { ruleProblem } from '#server/vehicles/index.ts'
import { listingOf, readListings, readPublicUrls, withCopiedPhotos } from '../listings/listings.ts'

export type ChannelOptions = {
  secrets: Secrets
  /** Base URL of the product. */
  base: () => string
  /** Called when a channel becomes due. */
  onDue: () => void
}

const MANAGED_CENTRALLY = 'Channels are managed'

/** The customer's channels. Changing them requires access to the whole customer. */
export function channelHandlers({ secrets, base, onDue }: ChannelOptions): Handlers<typeof channels> {
  const read = (db: Database, actor: Member, id: string) =>
    readChannel(db, id, { actor, secrets, base: base() })

  return {
    list: ({ db, actor, input }) => listChannels(db, actor, input),

    get: ({ db, actor, input }) => read(db, actor, input.id),

    async add({ db, actor, input }) {
      requireCustomerReach(actor, MANAGED_CENTRALLY)
      const id = await addChannel(db, { customerId: actor.customerId, secrets }, input)
      onDue()
      return read(db, actor, id)
    },

    async update({ db, actor, input: { id, version, secret, ...changes } }) {
      requireCustomerReach(actor, MANAGED_CENTRALLY)
      await sql`select 1 from channels where id = ${id} for update`.execute(db)
      const current = await read(db, actor, id)
      if (version !== undefined && version !== current.version) throw stale('This channel', current)
      const asked = { ...settingsOf(current), ...sentFields(changes) }
      await validateSettings(db, actor.customerId, asked, current.rule)
      const wanted = columnsOf(asked)
      const { customerId } = actor
      const context = secretContext({ ...wanted, customerId })
      const isElsewhere = context !== secretContext({ ...settingsOf(current), customerId })
      if (isElsewhere && current.hasSecret && secret === null && wanted.destination !== 'pull') {
        throw refused('Some fields are invalid.', {
          secret: 'Enter the password again. The saved one is for a different server or user.',
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
      // Its file can no longer be downloaded. What was sent elsewhere stays there.
      if (!wanted.isActive && current.isActive && current.destination === 'pull')
        await stopAdvertising(db, id)
      await makeDue(db, id)
      onDue()
      return read(db, actor, id)
    },

    async remove({ db, actor, input }) {
      requireCustomerReach(actor, MANAGED_CENTRALLY)
      await requireSeen(db, input, {
        table: 'channels',
        noun: 'channel',
        read: () => read(db, actor, input.id),
      })
      await stopAdvertising(db, input.id)
      const removed = await db
        .deleteFrom('channels')
        .where('id', '=', input.id)
        .returning('id')
        .executeTakeFirst()
      if (removed === undefined) throw notFound('Channel')
      return null
    },

    async run({ db, actor, input }) {
      requireCustomerReach(actor, MANAGED_CENTRALLY)
      await read(db, actor, input.id)
      // A run in progress already does what was requested.
      await sql`update channel_states set next_run_at = app_now(), requested_by = ${actor.fullName}, failures = 0
        where channel_id = ${input.id} and coalesce(leased_until <= app_now(), true)`.execute(db)
      onDue()
      return null
    },

    async renewAddress({ db, actor, input }) {
      requireCustomerReach(actor, MANAGED_CENTRALLY)
      await read(db, actor, input.id)
      await db
        .updateTable('channels')
        .set({ addressNumber: sql`address_number + 1` })
        .where('id', '=', input.id)
        .execute()
      return read(db, actor, input.id)
    },

    async forgetHostKey({ db, actor, input }) {
      requireCustomerReach(actor, MANAGED_CENTRALLY)
      await read(db, actor, input.id)
      await db
        .updateTable('channelStates')
        .set({ hostKey: null, hostKeyOf: null })
        .where('channelId', '=', input.id)
        .execute()
      return read(db, actor, input.id)
    },

    async runs({ db, actor, input }) {
      const { destination } = await read(db, actor, input.id)
      const runs = await db
        .selectFrom('channelRuns')
        .select([
          'id',
          'state',
          'requestedBy',
          'startedAt',
          'endedAt',
          'changedAt',
          'listed',
          'excluded',
          'reasons',
          'message',
        ])
        .select(sql<number>`bytes::float8`.as('bytes'))
        .where('channelId', '=', input.id)
        .orderBy('id', 'desc')
        .limit(KEPT_RUNS)
        .execute()
      const last = runs[0]?.id ?? '0'
      const excluded = await db
        .selectFrom('channelExclusions')
        .select(['vehicleId', 'title', 'reasons'])
        .where('runId', '=', last)
        .orderBy('title')
        .orderBy('vehicleId')
        .limit(MAX_EXCLUDED)
        .execute()
      // The database has JSON and plain text; parsing checks them against the contract.
      return ChannelRuns.parse({
        // A file for a download link is made available, not sent.
        runs: runs.map((run) =>
          destination === 'pull' && run.state === 'sent' ? { ...run, state: 'available' } : run,
        ),
        excluded,
      })
    },

    async ofVehicle({ db, actor, input }) {
      const { customerId } = actor
      const zone = await useLotTimeZones(db, customerId)
      const { pictureAddress, origin, ownPages } = await readPublicUrls(db, {
        customerId,
        base: base(),
        secrets,
      })
      const all = await readInclusions(db, input.id)
      const listed = await readListings(db, { customerId, rule: '', zone, ids: [input.id] })
      const [row] = await withCopiedPhotos(db, { customerId, origin }, listed)
      if (row === undefined) throw notFound('Vehicle')
      const inclusions = []
      for (const { rule, pageTemplate, ...channel } of all) {
        const [meant] =
          rule === '' ? [row] : await readListings(db, { customerId, rule, zone, ids: [input.id] })
        const reasons = exclusionReasons(
          channel.kind,
          listingOf(row, { pictureAddress, pageTemplate: pageTemplate ?? ownPages }),
        )
        const leftOut = meant?.matchesRule ? [] : (['leftOut'] as const)
        inclusions.push({ ...channel, reasons: [...leftOut, ...reasons] })
      }
      const pageTemplate = all.find((one) => one.pageTemplate !== null)?.pageTemplate ?? ownPages
      return { channels: inclusions, jsonLd: jsonLdOf(listingOf(row, { pictureAddress, pageTemplate })) }
    },
  }
}

/** All channels, and since when the file that the receiver of each has lists a vehicle. */
function readInclusions(db: Database, vehicleId: string) {
  return db
    .selectFrom('channels as c')
    .leftJoin('channelStates as s', (on) =>
      on.onRef('s.customerId', '=', 'c.customerId').onRef('s.channelId', '=', 'c.id'),
    )
    .leftJoin('advertisedPrices as a', (on) =>
      on
        .onRef('a.customerId', '=', 'c.customerId')
        .onRef('a.channelId', '=', 'c.id')
        .on('a.vehicleId', '=', vehicleId)
        .on('a.untilAt', 'is', null),
    )
    .select(['c.id as channelId', 'c.name', 'c.kind', 'c.isActive', 'c.rule', 'c.pageTemplate'])
    .select(['a.fromAt as listedSince', 's.nextRunAt'])
    .orderBy('c.nameKey')
    .execute()
}

/** Adds a channel; if it has a schedule, it is due immediately. @returns its ID. @throws Failure 400, 409 */
export async function addChannel(
  db: Database,
  { customerId, secrets }: { customerId: string; secrets: Secrets },
  { secret, ...given }: NewChannel,
): Promise<string> {
  await validateSettings(db, customerId, given)
  const columns = columnsOf(given)
  const sealed = secret === null ? null : secrets.seal(secret, secretContext({ ...columns, customerId }))
  const { id } = await explainRefusal(
    db
      .insertInto('channels')
      .values({ ...columns, secretSealed: columns.destination === 'pull' ? null : sealed })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await refuseTooManyChannels(db, customerId)
  await db.insertInto('channelStates').values({ channelId: id }).execute()
  await makeDue(db, id)
  return id
}

/** Checks a channel that was just added. @throws Failure 409 if the customer has too many now */
async function refuseTooManyChannels(db: Database, customerId: string): Promise<void> {
  // One at a time, because two concurrent requests could both add the last one.
  await acquireAdvisoryLock(db, `channels ${customerId}`)
  const { rows } = await sql<{ isOver: boolean }>`
    select count(*) > ${MAX_CHANNELS} as is_over from channels where customer_id = ${customerId}`.execute(db)
  if (rows[0]?.isOver)
    throw conflict(
      `There can be at most ${MAX_CHANNELS} channels. Delete those that nothing needs anymore first.`,
    )
}

/** After a change, a scheduled channel runs immediately and no longer compares with the file sent before. */
async function makeDue(db: Database, id: string): Promise<void> {
  await sql`update channel_states s set sent_hash = null, sent_count = null, failures = 0,
      next_run_at = case when (${nextBySchedule}) is null then null else app_now() end
    from channels ch join customers c on c.id = ch.customer_id
    where ch.customer_id = s.customer_id and ch.id = s.channel_id and s.channel_id = ${id}`.execute(db)
}

type ChannelInput = Omit<NewChannel, 'secret'>

function settingsOf(channel: Channel): ChannelInput {
  const { name, kind, format, isActive, rule, pageTemplate, columns, destination } = channel
  const { host, port, remotePath, userName, everyHours, dailyAt, priceMeaning, priceNote } = channel
  const delivery = { destination, host, port, remotePath, userName }
  const prices = { priceMeaning, priceNote }
  return {
    name,
    kind,
    format,
    isActive,
    rule,
    pageTemplate,
    columns,
    ...prices,
    ...delivery,
    everyHours,
    dailyAt,
  }
}

/** Clears settings that don't apply to the destination or kind. */
function columnsOf(given: ChannelInput) {
  const { columns, ...kept } = given
  const isCustom = given.kind === 'csv'
  const own = {
    ...kept,
    columns: JSON.stringify(isCustom ? columns : []),
    priceMeaning: isCustom ? given.priceMeaning : 'total',
    priceNote: isCustom && given.priceMeaning === 'without-fees' ? given.priceNote : null,
  } as const
  if (given.destination !== 'pull') return own
  return { ...own, host: null, port: null, remotePath: null, userName: null }
}

async function validateSettings(
  db: Database,
  customerId: string,
  given: ChannelInput,
  before = '',
): Promise<void> {
  const problem =
    ruleProblem(given.rule) ?? (given.rule === before ? null : await findLostLot(db, given.rule))
  const parts = given.kind === 'csv' ? customPartsOf(given.columns) : []
  // Not removed before the channel is saved.
  const own = parts.length === 0 ? [] : (await holdCustomFields(db, customerId)).map(customFieldName)
  const unknown = parts
    .filter(({ name }) => !own.includes(name))
    .map(({ at, name }) => [`columns.${at}.value`, `Custom field {${name}} doesn't exist.`])
  const wrong = {
    ...Object.fromEntries(unknown),
    ...findSettingErrors(given),
    ...(problem !== null && { rule: problem }),
  }
  if (Object.keys(wrong).length > 0) throw refused('Some fields are invalid.', wrong)
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
