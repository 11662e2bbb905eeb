import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { makeCaller, type Caller, type TestApp } from '#test/app.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

type Options = { mode?: 'view' | 'act'; reason?: string }
type Tester = {
  userName: string
  rights: readonly (readonly [number, number])[]
  reach?: 'organization' | 'customer'
  /** The tester whose user type is above theirs; by default, that is the administrator's. */
  below?: string
}

/** Helpers for impersonating users by user name. */
export function impersonationsOf(forecourt: TestApp) {
  async function idOf(userName: string): Promise<string> {
    const { rows } = await forecourt.owner.query<{ id: string }>(
      'select id from users where user_name = $1',
      [userName],
    )
    return rows[0]?.id ?? '999999999'
  }
  return {
    idOf,
    async impersonate(caller: Caller, userName: string, options: Options = {}): Promise<Caller> {
      const { accessToken } = await caller.call(impersonation.impersonate, {
        userId: await idOf(userName),
        token: caller.token,
        ...options,
      })
      return makeCaller(forecourt.app, accessToken)
    },
    async switchBack(caller: Caller, payload: { userId?: null; token?: null }): Promise<Caller> {
      const { accessToken } = await caller.call(impersonation.impersonate, payload)
      return makeCaller(forecourt.app, accessToken)
    },
    /** Adds a user whose own user type grants just these permissions. */
    async addTester(
      place: TestOrganization,
      { userName, rights, reach = 'organization', below }: Tester,
    ): Promise<void> {
      const { name } = await place.call(userTypes.add, {
        userType: {
          name: `Type of ${userName}`,
          parentId: await place.userType(below === undefined ? 'Customer administrator' : `Type of ${below}`),
          reach,
          requiresSecondFactor: false,
        },
        permissions: rights.map(([func, opr]) => ({ func, opr })),
      })
      await place.addMember({ userName, userType: name })
    },
    /** Audit log entries about a user, with the names of both users. */
    async entriesOf(userName: string, event: string) {
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
