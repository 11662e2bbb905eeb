import { type RawBuilder, sql } from 'kysely'
import {
  type InboundAddress,
  type inboundAddresses,
  inboundAddressRecord,
  type InboundUrls,
} from '#contract/leads/inbound/inbound-addresses.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import { requireOpenLot } from '#server/organizations/index.ts'
import type { Handlers } from '#server/http/serve.ts'
import { newUrlToken } from '#server/http/url-token.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { instant } from '#server/lists/json-text.ts'

/** What arrived at an address in the last 30 days. */
function countRecent(what: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select count(*)::int from ${what} and m.customer_id = inbound_addresses.customer_id
    and m.address_id = inbound_addresses.id and m.received_at > app_now() - interval '30 days')`
}

const columns = columnMap(inboundAddressRecord, 'inboundAddresses', {
  id: 'id',
  lotId: 'id',
  lotName: sql`lots.name`,
  organizationName: sql`organizations.name`,
  tokenAt: 'instant',
  lastReceivedAt: instant(sql`(select max(greatest(m.received_at, m.last_repeated_at)) from inbound_messages m
    where m.customer_id = inbound_addresses.customer_id and m.address_id = inbound_addresses.id)`),
  messages: countRecent(sql`inbound_messages m where true`),
  leads: countRecent(
    sql`inbound_messages m join inbound_message_leads l on l.customer_id = m.customer_id and l.message_id = m.id
      where l.is_new`,
  ),
  automatic: countRecent(sql`inbound_messages m where m.automatic is not null`),
  // However old they are.
  quarantined: sql`(select count(*)::int from inbound_messages m where m.state = 'quarantined'
    and m.customer_id = inbound_addresses.customer_id and m.address_id = inbound_addresses.id)`,
  updatedAt: 'instant',
})

const from = sql`inbound_addresses
  left join lots on lots.customer_id = inbound_addresses.customer_id and lots.id = inbound_addresses.lot_id
  left join organizations on organizations.customer_id = inbound_addresses.customer_id
    and organizations.id = inbound_addresses.organization_id`

/** Addresses of the caller's organization, or of the whole customer for callers with customer reach. */
export const inboundAddressHandlers: Handlers<typeof inboundAddresses> = {
  async list({ db }) {
    const { rows } = await sql<InboundAddress>`select ${columns.select} from ${from}
      order by lower(inbound_addresses.label), inbound_addresses.id`.execute(db)
    return rows
  },

  get: ({ db, input: { id } }) => readAddress(db, id),

  async add({ db, actor, input }) {
    if (input.isGroup) requireCustomerReach(actor, GROUP_ADDRESSES)
    return addInboundAddress(db, input, actor)
  },

  async update({ db, actor, input }) {
    const { id, version, ...given } = input
    const before = await readAddress(db, id)
    const { isGroup = before.isGroup, lotId = before.lotId } = given
    if (before.isGroup || isGroup) requireCustomerReach(actor, GROUP_ADDRESSES)
    const isPlaced = given.isGroup !== undefined || given.lotId !== undefined
    const place = isPlaced ? await placeOf(db, { isGroup, lotId }, actor) : undefined
    const changes = { ...given, ...(place !== undefined && { isGroup, lotId: place.lotId }) }
    const organizationId = place?.organizationId
    const change = db
      .updateTable('inboundAddresses')
      .set({
        version: sql`version`,
        ...columns.write(changes),
        ...(organizationId !== undefined && { organizationId }),
      })
      .where('id', '=', id)
      .returning('id')
    const changed = await explainRefusal(
      (version === undefined ? change : change.where('version', '=', version)).executeTakeFirst(),
    )
    const current = await readAddress(db, id)
    if (changed === undefined) throw stale('This inbound address', current)
    return current
  },

  async renewUrls({ db, actor, input: { id } }) {
    await readAddress(db, id)
    return renewInboundUrls(db, { customerId: actor.customerId, id })
  },

  async revoke({ db, input: { id } }) {
    await db
      .updateTable('inboundAddresses')
      .set({ tokenHash: null, tokenAt: null })
      .where('id', '=', id)
      .execute()
    return readAddress(db, id)
  },

  async remove({ db, input }) {
    await requireSeen(db, input, { table: 'inboundAddresses', noun: 'inbound address', read: readAddress })
    const { quarantined } = await readAddress(db, input.id)
    if (quarantined > 0)
      throw conflict('Messages of this address still need review. Review or dismiss them first.')
    await db.deleteFrom('inboundAddresses').where('id', '=', input.id).execute()
    return null
  },
}

const GROUP_ADDRESSES = 'Addresses of the whole group are managed'

type Place = Readonly<{ lotId: string | null; organizationId: string }>

/** The lot of an address with its organization; for the address of a group the given one. @throws Failure 400 */
async function placeOf(
  db: Database,
  { isGroup, lotId }: { isGroup: boolean; lotId: string | null },
  group: { organizationId: string },
): Promise<Place> {
  if (isGroup) return { lotId: null, organizationId: group.organizationId }
  if (lotId === null) throw refused('Some fields are invalid.', { lotId: 'Choose a lot.' })
  const { organizationId } = await requireOpenLot(db, lotId)
  return { lotId, organizationId }
}

/**
 * Adds an address for a lot, in the lot's organization, or for all stores: then `group` is the organization that has the leads without a
 * store.
 * @throws Failure 400 if the lot is out of reach, 409 if the label is in use
 */
export async function addInboundAddress(
  db: Database,
  input: {
    label: string
    sourceName: string
    isGroup?: boolean | undefined
    lotId?: string | null | undefined
  },
  group: { organizationId: string },
): Promise<InboundAddress> {
  const { isGroup = false } = input
  const { lotId, organizationId } = await placeOf(db, { isGroup, lotId: input.lotId ?? null }, group)
  const { id } = await explainRefusal(
    db
      .insertInto('inboundAddresses')
      .values({ ...columns.write({ ...input, isGroup, lotId }), organizationId })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return readAddress(db, id)
}

/** Replaces the token of an address. Its former URLs stop working. */
export async function renewInboundUrls(
  db: Database,
  address: { customerId: string; id: string },
): Promise<InboundUrls> {
  const { token, hash } = newUrlToken(address)
  await db
    .updateTable('inboundAddresses')
    .set({ tokenHash: hash, tokenAt: sql`app_now()` })
    .where('id', '=', address.id)
    .execute()
  return { adfPath: `/api/leads/adf/${token}`, mailPath: `/api/leads/mail/${token}` }
}

/** @throws Failure 404 */
async function readAddress(db: Database, id: string): Promise<InboundAddress> {
  const { rows } =
    await sql<InboundAddress>`select ${columns.select} from ${from} where inbound_addresses.id = ${id}`.execute(
      db,
    )
  const [address] = rows
  if (address === undefined) throw notFound('Inbound address')
  return address
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique'))
      throw conflict('Another inbound address already has this label.', {
        label: 'This label is already in use.',
      })
    throw error
  }
}
