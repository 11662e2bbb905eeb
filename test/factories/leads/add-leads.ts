import { people } from '#contract/leads/people/people.ts'
import { leads } from '#contract/leads/leads/leads.ts'
import type { Sent } from '#contract/endpoint.ts'
import type { InventoryFactories } from '#test/factories/inventory/add-inventory.ts'
import { fresh } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'

export type LeadFactories = {
  /** A lead of this organization, added by hand. Returns its ID. */
  addLead: (more?: Partial<Sent<typeof leads.add>>) => Promise<string>
  /** The person of a new lead. */
  addPerson: () => Promise<string>
  /** Two people, one merged into the other. Returns the ID of the merge. */
  addMerge: () => Promise<string>
}

export function leadFactories(place: Place, { addLot }: Pick<InventoryFactories, 'addLot'>): LeadFactories {
  const addLead = async (more: Partial<Sent<typeof leads.add>> = {}) => {
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
  }
  const addPerson = async () => (await place.staff.call(leads.get, { id: await addLead() })).personId
  return {
    addLead,
    addPerson,
    async addMerge() {
      const both = { keptId: await addPerson(), mergedId: await addPerson() }
      return (await place.staff.call(people.merge, both)).id
    },
  }
}
