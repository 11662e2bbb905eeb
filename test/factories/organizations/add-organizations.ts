import { customers } from '#contract/customers/customers/customers.ts'
import { facilities, type NewFacility } from '#contract/organizations/facilities/facilities.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { fresh, freshCode } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'

export type OrganizationFactories = {
  /** A new customer with its first organization and an invited administrator. */
  addCustomer: () => Promise<string>
  /** A new organization of the same customer. */
  addOrganization: (name?: string) => Promise<string>
  /** A wholly owned site, or a facility with these fields. */
  addFacility: (more?: Partial<NewFacility>) => Promise<string>
}

export function organizationFactories({ organizationId, call, staff }: Place): OrganizationFactories {
  return {
    async addCustomer() {
      const userName = freshCode('founder.')
      const { id } = await staff.call(customers.add, {
        name: fresh('Customer'),
        organizationName: fresh('Rooftop'),
        timeZone: 'UTC',
        administrator: { firstName: 'Fay', lastName: 'Under', email: `${userName}@people.example`, userName },
      })
      return id
    },
    // By platform staff: a customer's own user would become its member.
    addOrganization: async (name = fresh('Organization')) =>
      (await staff.call(organizations.save, { name })).id,
    async addFacility(more = {}) {
      const { id } = await call(facilities.add, {
        organizationId,
        level: 'site',
        code: freshCode('F'),
        name: fresh('Facility'),
        control: [
          { validFrom: '2020-01-01', ownership: '100', operationalControl: true, financialControl: true },
        ],
        ...more,
      })
      return id
    },
  }
}
