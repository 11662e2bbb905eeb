import { lots } from '#contract/customers/lots/lots.ts'
import { views } from '#contract/lists/views.ts'
import { fresh } from '#test/factories/fresh.ts'
import type { InventoryFactories } from '#test/factories/vehicles/add-inventory.ts'
import type { Place } from '#test/factories/place.ts'

export type WorkFactories = {
  /** A completed job of the administrator. */
  addJob: () => Promise<string>
  /** The administrator's view of the job list, shared with this organization. */
  addView: (name?: string) => Promise<string>
  /** An audit log entry about a lot of this organization. */
  addAuditEntry: (name?: string) => Promise<string>
}

export function workFactories({ forecourt, call }: Place, { addLot }: InventoryFactories): WorkFactories {
  return {
    async addJob() {
      const { id } = await call(lots.change, {
        selection: { ids: [await addLot()] },
        change: { isPublic: true },
      })
      await forecourt.jobs.runDue()
      return id
    },
    addView: async (name = fresh('View')) =>
      (await call(views.add, { list: 'jobs', name, scope: 'organization', state: { columns: ['title'] } }))
        .id,
    async addAuditEntry(name = fresh('Name')) {
      const id = await addLot('Old')
      await call(lots.update, { id, name })
      const { rows } = await forecourt.owner.query<{ id: string }>(
        `select id from audit_log where table_name = 'lots' and row_id = $1 and operation = 'update'`,
        [id],
      )
      return rows[0]?.id ?? ''
    },
  }
}
