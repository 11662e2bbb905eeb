import { sql } from 'kysely'
import type { customSources } from '#contract/carbon/inventories/custom-sources.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readCustomSource, readCustomSources } from './custom-source-rows.ts'
import {
  addCustomSource,
  changeCustomSource,
  removeCustomSource,
  restoreCustomSource,
} from './custom-source-writes.ts'
import { readInventory } from './inventory-rows.ts'
import { lockOpenInventoryRow } from '../staleness/lock-inventory-row.ts'
import { findActivities } from './source-activities.ts'

/** Custom emission sources: described once for the organization, then assigned like standard ones. */
export const customSourceHandlers: Handlers<typeof customSources> = {
  async list({ db, input }) {
    // 404 if it isn't accessible, rather than an empty list.
    const { organizationId } = await readInventory(db, input.inventory)
    return readCustomSources(db, organizationId)
  },

  async findActivities({ db, input: { inventory, search } }) {
    const { organizationId } = await readInventory(db, inventory)
    return findActivities(db, { search, country: await readCountry(db, organizationId) })
  },

  async add({ db, input: { inventoryId, ...input } }) {
    const inventory = await lockOpenInventoryRow(db, inventoryId)
    const id = await addCustomSource(db, inventory, input)
    return readCustomSource(db, id)
  },

  async update({ db, input }) {
    await changeCustomSource(db, input)
    return readCustomSource(db, input.id)
  },

  async remove({ db, input }) {
    await removeCustomSource(db, input)
    return null
  },

  async restore({ db, input: { id } }) {
    await restoreCustomSource(db, id)
    return readCustomSource(db, id)
  },
}

async function readCountry(db: Database, organizationId: string): Promise<string | null> {
  const { rows } = await sql<{ country: string | null }>`
    select country from organization_profiles where organization_id = ${organizationId}`.execute(db)
  return rows[0]?.country ?? null
}
