import { sql } from 'kysely'
import type { inventoryReopenings, Reopening } from '#contract/carbon/approvals/reopenings.ts'
import { STATUS_NAMES, STATUS_STEPS } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { type Identity, queueEmails, type UserEmail, writeToActor } from '#server/identity/index.ts'
import {
  decisionMail,
  type ReopeningDecision,
  reopeningsOf,
  type StoredReopening,
} from '#server/snapshots/reopenings.ts'
import { changeStatus, readApprovers, readSubmitter } from '../inventories/change-status.ts'
import { findInventory } from '../inventories/find-inventory.ts'
import { readInventory } from '../inventories/inventory-rows.ts'
import { lockInventoryRow } from '../staleness/lock-inventory-row.ts'
import { composeReopeningMails, subjectOf, whatOf } from './reopening-mails.ts'

type Stored = StoredReopening & Pick<Reopening, 'formerStatus' | 'status'>
type Inventory = Awaited<ReturnType<typeof lockInventoryRow>>
type ReopeningRequest = {
  inventory: string
  status: Reopening['status']
  reason: string
  version?: number | undefined
}

const reopenings = reopeningsOf<Stored, Inventory>({
  table: 'inventory_reopenings',
  column: 'inventory_id',
  more: sql`, o.former_status, o.status`,
  lock: lockInventoryRow,
  // The people who prepared the figures: the owner, and who submitted them last.
  async readPreparation(db, inventoryId) {
    const { ownerId } = await readInventory(db, inventoryId)
    const submitter = await readSubmitter(db, inventoryId)
    return {
      people: [ownerId, submitter?.userId ?? null, submitter?.effectiveUserId ?? null],
      did: 'prepared these figures',
    }
  },
  check({ name, status }, { formerStatus }) {
    if (status !== formerStatus)
      throw conflict(`${name} is ${STATUS_NAMES[status].toLowerCase()} now. Withdraw the request.`)
  },
})

/** Unlocking and reopening what two people approved needs two people again: one asks, another one confirms. */
export const reopeningHandlers = (identity: Identity): Handlers<typeof inventoryReopenings> => ({
  async list({ db, actor, input: { inventory } }) {
    await findInventory(db, inventory)
    return reopenings.list(db, actor, inventory)
  },

  async request({ actor, inTenant, input }) {
    const { status, reason } = input
    const about = await inTenant(async (db) => {
      const { id } = await requireRequestable(db, input)
      return { inventory: await readInventory(db, id), approvedBy: await readApprovers(db, id) }
    })
    const mails = await composeReopeningMails(identity, { ...about, actor, status, reason })
    return inTenant(async (db) => {
      const locked = await requireRequestable(db, input)
      const id = await addReopening(db, locked, { status, reason })
      await queueEmails(db, identity, { mails, organizationId: locked.organizationId })
      return reopenings.readShown(db, actor, id)
    })
  },

  async confirm({ actor, inTenant, input }) {
    const mails = await writeDecision(identity, inTenant, actor, { ...input, decision: 'confirmed' })
    return inTenant(async (db) => {
      const { reopening, subject: inventory } = await reopenings.decide(db, actor, {
        ...input,
        decision: 'confirmed',
      })
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
      const { subject: inventory } = await reopenings.decide(db, actor, { ...input, decision: 'declined' })
      await queueEmails(db, identity, { mails, organizationId: inventory.organizationId })
      return reopenings.readShown(db, actor, input.id)
    })
  },

  async withdraw({ db, actor, input: { id } }) {
    await reopenings.decide(db, actor, { id, decision: 'withdrawn', reason: null })
    return reopenings.readShown(db, actor, id)
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
  if (await reopenings.isAskedFor(db, id))
    throw conflict(`Someone has already asked for ${name}. Confirm or decline that request.`)
  return inventory
}

/** The email about a decision to the person who asked, written before it is stored. @throws as deciding it */
async function writeDecision(
  identity: Identity,
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  actor: Member,
  { reason, ...what }: ReopeningDecision & { reason: string },
): Promise<UserEmail[]> {
  const { reopening, inventory } = await inTenant(async (db) => {
    const found = await reopenings.lockDecidable(db, actor, what)
    return { ...found, inventory: await readInventory(db, found.subject.id) }
  })
  const about = { actor, reopening, decision: what.decision, reason }
  const { people, email } = decisionMail({ ...about, subject: subjectOf(inventory), what: whatOf(reopening) })
  return writeToActor(identity, people, email)
}
