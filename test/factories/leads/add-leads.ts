import { leads } from '#contract/leads/leads/leads.ts'
import type { Sent } from '#contract/endpoint.ts'
import type { InventoryFactories } from '#test/factories/inventory/add-inventory.ts'
import { fresh } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'

export type LeadFactories = {
  /** A lead of this organization, added by hand. Returns its ID. */
  addLead: (more?: Partial<Sent<typeof leads.add>>) => Promise<string>
}

export function leadFactories(place: Place, { addLot }: Pick<InventoryFactories, 'addLot'>): LeadFactories {
  return {
    async addLead(more = {}) {
      const name = fresh('Buyer').replaceAll(' ', '')
      // Staff of the platform can't own leads.
      const by = more.isMine === true ? place : place.staff
      const { id } = await by.call(leads.add, {
        type: 'general',
        sourceName: 'Walk-in',
        lotId: await addLot(),
        firstName: name,
        lastName: 'Example',
        email: `${name}@mail.example`,
        comments: 'Is it still there?',
        ...more,
      })
      return id
    },
  }
}
