import { answerTemplates } from '#contract/leads/reply-templates/answer-templates.ts'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import type { Sent } from '#contract/endpoint.ts'
import type { InventoryFactories } from '#test/factories/vehicles/add-inventory.ts'
import { fresh } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'

export type LeadFactories = {
  /** A lead of this organization, added by hand. Returns its ID. */
  addLead: (more?: Partial<Sent<typeof leads.add>>) => Promise<string>
  /** The person of a new lead. */
  addPerson: () => Promise<string>
  /** An email address that a user adds to a person. Returns its ID. */
  addContact: () => Promise<string>
  /** Two people, one merged into the other. Returns the ID of the merge. */
  addMerge: () => Promise<string>
  /** A lead that was moved to another lot. Returns the ID of the move. */
  addLeadMove: () => Promise<string>
  /** A destination by email unless something else is given. */
  addLeadDestination: (more?: Partial<Sent<typeof leadDestinations.add>>) => Promise<string>
  /** A rule with a destination of its own unless others are given. */
  addLeadRule: (more?: Partial<Sent<typeof leadRoutingRules.add>>) => Promise<string>
  addAnswerTemplate: () => Promise<string>
  /** A test of a new destination, queued. */
  addLeadDelivery: () => Promise<string>
}

export function leadFactories(place: Place, { addLot }: Pick<InventoryFactories, 'addLot'>): LeadFactories {
  const addLead: LeadFactories['addLead'] = async (more = {}) => {
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
  const addLeadDestination: LeadFactories['addLeadDestination'] = async (more = {}) => {
    const { id } = await place.staff.call(leadDestinations.add, {
      name: fresh('Destination'),
      kind: 'email',
      toEmail: 'leads@crm.example',
      ...more,
    })
    return id
  }
  return {
    addLead,
    addPerson,
    async addContact() {
      const leadId = await addLead()
      const { personId } = await place.staff.call(leads.get, { id: leadId })
      const value = `${fresh('contact').replaceAll(' ', '')}@mail.example`
      await place.staff.call(people.addContact, { personId, kind: 'email', value })
      const { contacts } = await place.staff.call(leads.get, { id: leadId })
      return contacts.at(-1)?.id ?? ''
    },
    async addMerge() {
      const both = { keptId: await addPerson(), mergedId: await addPerson() }
      return (await place.staff.call(people.merge, both)).id
    },
    async addLeadMove() {
      const id = await addLead()
      const lotId = await addLot()
      return (await place.staff.call(leadMoves.move, { id, lotId, reason: 'Asked there first' })).id
    },
    addLeadDestination,
    async addLeadRule(more = {}) {
      const targets = more.targets ?? [{ destinationId: await addLeadDestination() }]
      const { id } = await place.staff.call(leadRoutingRules.add, {
        name: fresh('Rule'),
        // Matches no lead of another test.
        sources: [fresh('Source')],
        ...more,
        targets,
      })
      return id
    },
    async addAnswerTemplate() {
      const template = { name: fresh('Template'), text: 'Hello {firstName}' }
      return (await place.staff.call(answerTemplates.add, template)).id
    },
    async addLeadDelivery() {
      const id = await addLeadDestination()
      return (await place.staff.call(leadDestinations.sendTest, { id })).deliveryId
    },
  }
}
