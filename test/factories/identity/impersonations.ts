import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { makeCaller, type Caller, type TestApp } from '#test/app.ts'
import type { Place } from '#test/factories/places.ts'

type How = { mode?: 'look' | 'act'; reason?: string }
type Tester = {
  userName: string
  rights: readonly (readonly [number, number])[]
  reach?: 'organization' | 'customer'
}

/** People by user name, and how to get into their skin. */
export function skinsOf(forecourt: TestApp) {
  async function idOf(userName: string): Promise<string> {
    const { rows } = await forecourt.owner.query<{ id: string }>(
      'select id from users where user_name = $1',
      [userName],
    )
    return rows[0]?.id ?? '999999999'
  }
  return {
    idOf,
    async become(caller: Caller, userName: string, how: How = {}): Promise<Caller> {
      const { accessToken } = await caller.call(impersonation.impersonate, {
        userId: await idOf(userName),
        token: caller.token,
        ...how,
      })
      return makeCaller(forecourt.app, accessToken)
    },
    async goBack(caller: Caller, payload: { userId?: null; token?: null }): Promise<Caller> {
      const { accessToken } = await caller.call(impersonation.impersonate, payload)
      return makeCaller(forecourt.app, accessToken)
    },
    /** A person of a type of their own that grants just this. */
    async addTester(place: Place, { userName, rights, reach = 'organization' }: Tester): Promise<void> {
      const typeId = await place.addUserType(`Type of ${userName}`)
      await forecourt.owner.query('update user_types set reach = $2 where id = $1', [typeId, reach])
      for (const [func, opr] of rights) {
        await forecourt.owner.query(
          'insert into user_type_permissions (customer_id, user_type_id, func, opr) values ($1, $2, $3, $4)',
          [place.customerId, typeId, func, opr],
        )
      }
      await place.addMember({ userName, userType: `Type of ${userName}` })
    },
    /** What the log tells of a person, with both names. */
    async told(userName: string, event: string) {
      const { rows } = await forecourt.owner.query<Record<string, unknown>>(
        `select customer_id::text, actor_user_id::text as actor, effective_user_id::text as effective, actor_name,
          effective_name, after ->> 'reason' as reason from audit_log
        where table_name = 'users' and row_id = $1 and after ->> 'event' = $2 order by id`,
        [await idOf(userName), event],
      )
      return rows
    },
  }
}
