import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { users } from '#contract/identity/users/users.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { storePassword } from '#server/identity/credentials/stored-passwords.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { fresh, freshCode } from '#test/factories/fresh.ts'
import { sessionIdOf } from '#test/factories/identity/sessions.ts'
import { mailsTo, wordIn } from '#test/factories/mail/mails.ts'
import type { Place } from '#test/factories/place.ts'

type NewMember = { userName: string; userType: string; firstName?: string }

export type UserFactories = {
  /** A user with one of the customer's user types who is a member of this organization only, with the demo password. */
  addMember: (user: NewMember) => Promise<string>
  /** A user without a password, by default a participant. */
  createUser: (userType?: string) => Promise<string>
  /** The ID of a user type of the customer, by name. */
  userType: (name: string) => Promise<string>
  /** A user type below another one, by default without permissions. */
  addUserType: (name?: string, parent?: string) => Promise<string>
  /** A verified domain. */
  addDomain: () => Promise<string>
  /** An open session of a user. */
  addSession: (userId: string) => Promise<string>
  /** The secret of an emailed link for a new user's first password. */
  addPasswordLink: () => Promise<string>
  /** The token of another user's active session. */
  token: () => Promise<string>
}

export function userFactories({
  forecourt,
  customerId,
  organizationId,
  call,
  staff,
  insert,
}: Place): UserFactories {
  const { owner, identity } = forecourt
  const iam = kyselyOver((query) => owner.query(statement(query)))
  const userType = async (name: string): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>(
      'select id from user_types where customer_id = $1 and name = $2',
      [customerId, name],
    )
    return rows[0]?.id ?? ''
  }
  const add = async (user: NewMember & { lastName: string }): Promise<string> => {
    const { userName, firstName = 'Sam', lastName } = user
    // Platform staff may choose any user type of the customer.
    const { id } = await staff.call(users.add, {
      user: {
        userName,
        email: userName.includes('@') ? userName : `${userName}@people.example`,
        firstName,
        lastName,
        userTypeId: await userType(user.userType),
        organizationIds: [organizationId],
      },
    })
    return id
  }
  const createUser = (type = 'Participant') =>
    add({ userName: freshCode('invited.'), userType: type, firstName: 'Ina', lastName: 'Vited' })
  const linkFor = async (id: string): Promise<string> => {
    await call(users.sendPasswordMail, { id })
    return wordIn((await mailsTo(forecourt, { id })).at(-1))
  }
  // Stored by the product's own function instead of with an emailed link, whose email and events the tests of passwords,
  // emails and the audit log would count. passwords.test.ts sets passwords with links.
  const setPassword = (id: string) =>
    storePassword({ iam, passwords: identity.passwords }, { customerId, id }, DEMO_PASSWORD)
  return {
    userType,
    createUser,
    async addMember(user) {
      const id = await add({ lastName: 'Tester', ...user })
      await setPassword(id)
      return id
    },
    async addUserType(name = fresh('Type'), parent = 'Customer administrator') {
      const parentId = await userType(parent)
      return (await call(userTypes.add, { userType: { name, parentId } })).id
    },
    // Verified, which takes a DNS record that the tests' name server doesn't have. white-labels.test.ts verifies domains.
    addDomain: () =>
      insert(
        `insert into white_labels (customer_id, domain, title) values ($1, $2, 'A domain') returning id`,
        [customerId, `${freshCode('domain-')}-${customerId}.example`],
      ),
    async addSession(id) {
      await setPassword(id)
      const { userName } = await call(users.get, { id })
      return sessionIdOf(await forecourt.as(userName))
    },
    addPasswordLink: async () => linkFor(await createUser()),
    token: async () => (await forecourt.as('northgate.dealer')).token ?? '',
  }
}
