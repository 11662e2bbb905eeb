import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { addPerson, makePasswords } from '#server/identity/index.ts'
import { DEMO_PASSWORD } from '../demo/world.ts'
import type { TestApp } from './app.ts'

/** One organization of the demo world, and a way to put rows into it behind the product's back. */
export type Place = {
  customerId: string
  organizationId: string
  addLot: (name?: string) => Promise<string>
  /** Another organization of the same customer. */
  addOrganization: (name?: string) => Promise<string>
  /** A person of one of the customer's user types, by default a member of this organization alone. */
  addMember: (person: { userName: string; userType: string; firstName?: string }) => Promise<string>
  /** The token of a living session of somebody else. */
  token: () => Promise<string>
}

let made = 0
/** A word nobody used before in this file. */
export const fresh = (word: string): string => `${word} ${(made += 1)}`

const passwords = makePasswords(2)

export async function placeOf(forecourt: TestApp, organization: string): Promise<Place> {
  const { owner } = forecourt
  const found = await owner.query<{ customer_id: string; id: string }>(
    'select customer_id, id from organizations where name = $1',
    [organization],
  )
  const [row] = found.rows
  if (row === undefined) throw new Error(`There is no organization ${organization}.`)
  const { customer_id: customerId, id: organizationId } = row

  const insert = async (text: string, values: unknown[]): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>(`${text} returning id`, values)
    return rows[0]?.id ?? ''
  }
  return {
    customerId,
    organizationId,
    addLot: (name = fresh('Lot')) =>
      insert('insert into lots (customer_id, organization_id, code, name) values ($1, $2, $3, $4)', [
        customerId,
        organizationId,
        fresh('P').replace(' ', ''),
        name,
      ]),
    addOrganization: (name = fresh('Organization')) =>
      insert('insert into organizations (customer_id, name) values ($1, $2)', [customerId, name]),
    async addMember({ userName, userType, firstName = 'Sam' }) {
      const { rows } = await owner.query<{ id: string }>(
        'select id from user_types where customer_id = $1 and name = $2',
        [customerId, userType],
      )
      return addPerson(
        kyselyOver((query) => owner.query(statement(query))),
        passwords,
        {
          customerId,
          userTypeId: rows[0]?.id ?? '',
          userName,
          email: `${userName}@people.example`,
          firstName,
          lastName: 'Tester',
          password: DEMO_PASSWORD,
          organizationIds: [organizationId],
        },
      )
    },
    token: async () => (await forecourt.as('northgate.dealer')).token ?? '',
  }
}

/** A user type that may do everything, but only in its own organization: what it cannot reach, nobody of one rooftop can. */
export async function addAllRightsHere({ owner }: TestApp, customerId: string): Promise<string> {
  await owner.query(
    `with type as (
      insert into user_types (customer_id, name, reach) values ($1, 'Everything here', 'organization') returning id
    )
    insert into user_type_permissions (customer_id, user_type_id, func, opr)
    select p.customer_id, type.id, p.func, p.opr from type, user_type_permissions p
      join user_types t on t.customer_id = p.customer_id and t.id = p.user_type_id
    where t.customer_id = $1 and t.name = 'Customer administrator'`,
    [customerId],
  )
  return 'Everything here'
}
