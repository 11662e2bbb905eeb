import { sql } from 'kysely'
import type { carbonInventories, InventoryFigures } from '#contract/carbon/inventories/inventories.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { isReached, requireReach } from '#server/organizations/index.ts'
import { readFigures } from './coverage.ts'
import { readUsers } from './carbon-users.ts'
import { changeStatus, readSubmitter, wasApproved } from './change-status.ts'
import { copyInventory, restateInventory } from './copy-inventory.ts'
import { lockInventoryRow, lockOpenInventoryRow } from '../staleness/lock-inventory-row.ts'
import { readInventory, readInventoryRows } from './inventory-rows.ts'
import { confirmedChange } from './confirmed-change.ts'
import { inventorySource } from './inventory-source.ts'
import { addInventory, changeInventory } from './inventory-writes.ts'

/** Inventories of the caller's organization, or of the whole customer if that is the caller's reach. */
export const inventoryHandlers: Omit<Handlers<typeof carbonInventories>, 'setStatus'> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, inventorySource, input)
    const rows = await readInventoryRows(db, isOneOf(inventorySource, ids))
    const figures = actor.may(can(Func.carbonInsights, Opr.list))
      ? await readFigures(db, ids)
      : new Map<string, InventoryFigures>()
    const shown = rows.map((row) => ({ ...row, figures: figures.get(row.id) ?? null }))
    return { ...counts, results: inOrder(ids, shown) }
  },

  get: ({ db, input }) => readInventory(db, input.id),

  async people({ db, actor, input }) {
    await requireReach(db, actor, input.organization)
    return readUsers(db, actor.customerId, input.organization)
  },

  async add({ db, actor, input: { version: _version, ...input } }) {
    const organizationId = input.organizationId ?? actor.organizationId
    if (!(await isReached(db, actor, organizationId))) {
      throw refused('Some fields are invalid.', { organizationId: 'Choose one of your organizations.' })
    }
    return addInventory(db, { ...input, organizationId })
  },

  async update({ db, input: { id, version, affected = 0, ...change } }) {
    const { twoPersonApproval } = await lockOpenInventoryRow(db, id)
    const current = await readInventory(db, id)
    // Otherwise the person who turns it off could approve alone what two people worked on.
    if (twoPersonApproval && change.twoPersonApproval === false && (await readSubmitter(db, id)) !== null)
      throw conflict(`${current.name} was submitted for review before, so it keeps its two-person approval.`)
    if (version !== undefined && version !== current.version) throw stale('This inventory', current)
    const { gwpEdition = current.gwpEdition } = change
    if (gwpEdition !== current.gwpEdition && gwpEdition !== current.newerGwps?.edition)
      throw refused('Some fields are invalid.', { gwpEdition: 'Choose the newest GWP values.' })
    return confirmedChange(db, { current, change, affected }, () => changeInventory(db, current, change))
  },

  async copy({ db, input: { id, ...period } }) {
    await lockInventoryRow(db, id)
    return copyInventory(db, id, { ...period, restates: false })
  },

  async restate({ db, input: { id, version, reason } }) {
    const inventory = await lockInventoryRow(db, id)
    if (version !== undefined && version !== inventory.version) {
      throw stale('This inventory', await readInventory(db, id))
    }
    if (inventory.status !== 'locked')
      throw conflict('Only locked inventories can be restated. Edit this one instead.')
    return restateInventory(db, inventory, reason)
  },

  async remove({ db, input }) {
    const inventory = await lockInventoryRow(db, input.id)
    if (input.version !== undefined && input.version !== inventory.version)
      throw stale('This inventory', await readInventory(db, input.id))
    if (await wasApproved(db, input.id)) {
      throw conflict(
        `${inventory.name} was approved before, so it can't be deleted. What was approved stays stored with its history.`,
      )
    }
    if (inventory.status !== 'draft') {
      throw conflict(`${inventory.name} isn't a draft. Return it to draft before deleting it.`)
    }
    const records = await dropDeletedRecords(db, input.id)
    if (records > 0)
      throw conflict(
        `${inventory.name} can't be deleted because it has ${records === 1 ? '1 activity record' : `${records.toLocaleString('en')} activity records`}. Delete ${records === 1 ? 'it' : 'them'} first.`,
      )
    await db.deleteFrom('carbonInventories').where('id', '=', input.id).execute()
    if (inventory.restatesId === null) return null
    // The inventory it was meant to correct becomes active again, with its former status.
    const former = await lockInventoryRow(db, inventory.restatesId)
    const reason = `The restatement ${inventory.name} was deleted.`
    await changeStatus(db, former, { status: 'locked', reason })
    return null
  },
}

/** Deletes the deleted records of a draft for good, if it has no others. @returns how many others it has */
async function dropDeletedRecords(db: Database, inventoryId: string): Promise<number> {
  const { rows } = await sql<{ there: number }>`select drop_deleted_records(${inventoryId}) as there`.execute(
    db,
  )
  return rows[0]?.there ?? 0
}
