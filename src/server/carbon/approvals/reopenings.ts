import { sql } from 'kysely'
import type { inventoryReopenings, Reopening } from '#contract/carbon/approvals/reopenings.ts'
import { STATUS_NAMES, STATUS_STEPS } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { type Identity, queueEmails, type UserEmail } from '#server/identity/index.ts'
import {
  callerOf,
  decideReopening,
  type Preparation,
  REOPENING_COLUMNS,
  requireDecider,
  type StoredReopening,
} from '#server/snapshots/reopenings.ts'
import { changeStatus, readSubmitter } from '../inventories/change-status.ts'
import { findInventory } from '../inventories/find-inventory.ts'
import { readInventory } from '../inventories/inventory-rows.ts'
import { lockInventoryRow } from '../staleness/lock-inventory-row.ts'
import { composeDecisionMail, composeReopeningMails } from './reopening-mails.ts'

type Stored = StoredReopening & Pick<Reopening, 'formerStatus' | 'status'> & { inventoryId: string }
type Person = Pick<Member, 'userId' | 'effectiveUserId'>
type Decider = Person & Pick<Member, 'fullName'>
type Decision = { id: string; decision: NonNullable<Reopening['decision']>; reason: string | null }
type Inventory = Awaited<ReturnType<typeof lockInventoryRow>>
type ReopeningRequest = {
  inventory: string
  status: Reopening['status']
  reason: string
  version?: number | undefined
}

/** Unlocking and reopening what two people approved needs two people again: one asks, another one confirms. */
export const reopeningHandlers = (identity: Identity): Handlers<typeof inventoryReopenings> => ({
  async list({ db, actor, input: { inventory } }) {
    await findInventory(db, inventory)
    const found = await readReopenings(db, sql`o.inventory_id = ${inventory}`)
    const preparation = await readPreparation(db, inventory)
    return found.map((one) => shown(one, actor, preparation))
  },

  async request({ actor, inTenant, input }) {
    const { status, reason } = input
    const about = await inTenant(async (db) => {
      const { id } = await requireRequestable(db, input)
      return readInventory(db, id)
    })
    const mails = await composeReopeningMails(identity, { actor, inventory: about, status, reason })
    return inTenant(async (db) => {
      const locked = await requireRequestable(db, input)
      const id = await addReopening(db, locked, { status, reason })
      await queueEmails(db, identity, { mails, organizationId: locked.organizationId })
      return readShown(db, actor, id)
    })
  },

  async confirm({ actor, inTenant, input }) {
    const mails = await writeDecision(identity, inTenant, actor, { ...input, decision: 'confirmed' })
    return inTenant(async (db) => {
      const { reopening, inventory } = await decide(db, actor, { ...input, decision: 'confirmed' })
      await changeStatus(db, inventory, {
        status: reopening.status,
        reason: input.reason,
        reopeningId: input.id,
      })
      await queueEmails(db, identity, { mails, organizationId: inventory.organizationId })
      return readInventory(db, inventory.id)
    })
  },

  async decline({ actor, inTenant, input }) {
    const mails = await writeDecision(identity, inTenant, actor, { ...input, decision: 'declined' })
    return inTenant(async (db) => {
      const { inventory } = await decide(db, actor, { ...input, decision: 'declined' })
      await queueEmails(db, identity, { mails, organizationId: inventory.organizationId })
      return readShown(db, actor, input.id)
    })
  },

  async withdraw({ db, actor, input: { id } }) {
    await decide(db, actor, { id, decision: 'withdrawn', reason: null })
    return readShown(db, actor, id)
  },
})

/** Adds the request of the acting user. @returns its ID */
export async function addReopening(
  db: Database,
  {
    id: inventoryId,
    organizationId,
    status: formerStatus,
  }: Pick<Inventory, 'id' | 'organizationId' | 'status'>,
  { status, reason }: Pick<Reopening, 'status' | 'reason'>,
): Promise<string> {
  const { id } = await db
    .insertInto('inventoryReopenings')
    .values({ inventoryId, organizationId, formerStatus, status, reason })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @throws Failure 404, or 409 if it can't be asked for. */
async function requireRequestable(
  db: Database,
  { inventory: id, status, version }: ReopeningRequest,
): Promise<Inventory> {
  const inventory = await lockInventoryRow(db, id)
  if (version !== undefined && version !== inventory.version)
    throw stale('This inventory', await readInventory(db, id))
  const { name, status: former, twoPersonApproval } = inventory
  if ((former !== 'approved' && former !== 'locked') || !STATUS_STEPS[former].some(({ to }) => to === status))
    throw conflict(`${name} is ${STATUS_NAMES[former].toLowerCase()}, so there is nothing to confirm.`)
  if (!twoPersonApproval)
    throw conflict(`${name} was approved without a second person, so it needs none now. Change its status.`)
  const { rows } = await sql`
    select from inventory_reopenings where inventory_id = ${id} and decision is null`.execute(db)
  if (rows.length > 0)
    throw conflict(`Someone has already asked for ${name}. Confirm or decline that request.`)
  return inventory
}

/**
 * A request that the caller may decide, with its inventory locked.
 * @throws Failure 404, 403 if the caller may not decide this, or 409 if it was decided, or the inventory has another status now
 */
async function lockDecidable(
  db: Database,
  actor: Decider,
  { id, decision }: Pick<Decision, 'id' | 'decision'>,
): Promise<{ reopening: Stored; inventory: Inventory; preparation: Preparation }> {
  const [found] = await readReopenings(db, sql`o.id = ${id}`)
  if (found === undefined) throw notFound('Request')
  const inventory = await lockInventoryRow(db, found.inventoryId)
  // Again, now that no one else can decide.
  const [reopening = found] = await readReopenings(db, sql`o.id = ${id}`)
  const preparation = await readPreparation(db, inventory.id)
  requireDecider(actor, { reopening, preparation, decision })
  if (inventory.status !== reopening.formerStatus)
    throw conflict(
      `${inventory.name} is ${STATUS_NAMES[inventory.status].toLowerCase()} now. Withdraw the request.`,
    )
  return { reopening, inventory, preparation }
}

/** @throws as `lockDecidable` */
async function decide(
  db: Database,
  actor: Decider,
  { reason, ...what }: Decision,
): Promise<{ reopening: Stored; inventory: Inventory }> {
  const found = await lockDecidable(db, actor, what)
  const { reopening, preparation } = found
  const { decision } = what
  await decideReopening(db, actor, {
    table: 'inventory_reopenings',
    reopening,
    preparation,
    decision,
    reason,
  })
  return found
}

/** The email about a decision to the person who asked, written before it is stored. @throws as `lockDecidable` */
async function writeDecision(
  identity: Identity,
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  actor: Member,
  { reason, ...what }: Decision & { reason: string },
): Promise<UserEmail[]> {
  const about = await inTenant(async (db) => {
    const { reopening, inventory } = await lockDecidable(db, actor, what)
    return { reopening, inventory: await readInventory(db, inventory.id) }
  })
  return composeDecisionMail(identity, { ...about, actor, decision: what.decision, reason })
}

/** The people who prepared the figures: the owner, and who submitted them last. */
async function readPreparation(db: Database, inventoryId: string): Promise<Preparation> {
  const { ownerId } = await readInventory(db, inventoryId)
  const submitter = await readSubmitter(db, inventoryId)
  return {
    people: [ownerId, submitter?.userId ?? null, submitter?.effectiveUserId ?? null],
    did: 'prepared these figures',
  }
}

async function readReopenings(db: Database, condition: ReturnType<typeof sql>): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select ${REOPENING_COLUMNS}, o.inventory_id::text, o.former_status, o.status
    from inventory_reopenings o where ${condition} order by o.id desc`.execute(db)
  return rows
}

async function readShown(db: Database, actor: Person, id: string): Promise<Reopening> {
  const [found] = await readReopenings(db, sql`o.id = ${id}`)
  if (found === undefined) throw notFound('Request')
  return shown(found, actor, await readPreparation(db, found.inventoryId))
}

function shown(stored: Stored, actor: Person, preparation: Preparation): Reopening {
  const {
    inventoryId: _inventoryId,
    requesterId: _requesterId,
    effectiveRequesterId: _effective,
    ...one
  } = stored
  return { ...one, ...callerOf(stored, actor, preparation) }
}
