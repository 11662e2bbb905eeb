import type { carbonInventories, InventoryFigures } from '#contract/carbon/inventories/inventories.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { isReached, requireReach } from '#server/organizations/index.ts'
import { readFigures } from '../results/coverage.ts'
import { readUsers } from './carbon-people.ts'
import { copyInventory, restateInventory } from './copy-inventory.ts'
import { holdInventory, holdOpenInventory } from './hold-inventory.ts'
import { readInventory, readInventoryRows } from './inventory-rows.ts'
import { inventorySource } from './inventory-source.ts'
import { addInventory, changeInventory } from './inventory-writes.ts'
import { setStatus } from './set-status.ts'

/** Inventories of the caller's organization, or of the whole customer for those whose reach is the customer. */
export const inventoryHandlers: Handlers<typeof carbonInventories> = {
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
      throw refused('Some fields are not right.', { organizationId: 'Choose one of your organizations.' })
    }
    return addInventory(db, { ...input, organizationId })
  },

  async update({ db, input: { id, version, ...change } }) {
    await holdOpenInventory(db, id)
    const current = await readInventory(db, id)
    if (version !== undefined && version !== current.version) throw stale('This inventory', current)
    return changeInventory(db, current, change)
  },

  async copy({ db, input: { id, ...period } }) {
    await holdInventory(db, id)
    return copyInventory(db, id, { ...period, restates: false })
  },

  async restate({ db, input: { id, version, reason } }) {
    const held = await holdInventory(db, id)
    if (version !== undefined && version !== held.version) {
      throw stale('This inventory', await readInventory(db, id))
    }
    if (held.status !== 'locked') throw conflict('Only a locked inventory is restated. Others are changed.')
    return restateInventory(db, held, reason)
  },

  async setStatus({ db, actor, input: { id, version, ...wanted } }) {
    const held = await holdInventory(db, id)
    if (version !== undefined && version !== held.version) {
      throw stale('This inventory', await readInventory(db, id))
    }
    await setStatus(db, actor, held, wanted)
    return readInventory(db, id)
  },

  async remove({ db, input }) {
    const held = await holdInventory(db, input.id)
    if (held.status !== 'draft') {
      throw conflict(`${held.name} is no draft any more. Take it back to draft before you delete it.`)
    }
    const inventory = db.deleteFrom('carbonInventories').where('id', '=', input.id).execute()
    await inventory.catch((error: unknown) => {
      throw isViolation(error, 'foreign key')
        ? conflict(`${held.name} has records of activity, which are kept. So it is kept as well.`)
        : error
    })
    if (held.restatesId === null) return null
    // What it was to correct counts again, as it was left.
    await db
      .updateTable('carbonInventories')
      .set({ status: 'locked' })
      .where('id', '=', held.restatesId)
      .execute()
    return null
  },
}
