import { afterAll, beforeAll, expect, test } from 'vitest'
import { pathParameters } from '#contract/endpoint.ts'
import type { Permission } from '#contract/permissions.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { everyCase } from '#test/cases/cases.ts'
import { addAllRightsHere } from '#test/factories/identity/all-rights.ts'
import { forkSession } from '#test/factories/identity/sessions.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let member: Caller
let userId: string
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const userType = await addAllRightsHere(ford)
  userId = await ford.addMember({ userName: 'one.right', userType })
  member = await forecourt.as('one.right')
})
afterAll(() => forecourt.close())

/** Leaves the user one right. */
async function holdOnly({ func, opr }: Permission): Promise<void> {
  await forecourt.owner.query(
    `delete from user_type_permissions where (customer_id, user_type_id) = (
      select customer_id, user_type_id from users where id = $1)`,
    [userId],
  )
  await forecourt.owner.query(
    `insert into user_type_permissions (customer_id, user_type_id, func, opr)
     select customer_id, user_type_id, $2, $3 from users where id = $1`,
    [userId, func, opr],
  )
  await forecourt.owner.query('update iam.permission_versions set version = version + 1')
}

const reads = everyCase.flatMap(({ name, endpoint, input }) => {
  const { allow, method, path } = endpoint
  if (method !== 'GET' || typeof allow === 'string' || pathParameters(path).length === 0) return []
  return [{ name, endpoint, input, asked: 'anyOf' in allow ? allow.anyOf : [allow] }]
})

test.for(reads)(
  '$name never fails for a user of one organization with nothing but a right that it names',
  async ({ endpoint, input, asked }) => {
    const existing: unknown = await input(ford)
    const missing = Object.fromEntries(
      Object.entries(existing ?? {}).map(([key, value]) => [
        key,
        /^\d+$/.test(String(value)) ? '99999999' : value,
      ]),
    )
    const failed: unknown[] = []
    for (const permission of asked) {
      await holdOnly(permission)
      for (const given of [existing, missing]) {
        const caller = await forkSession(forecourt, member)
        const status = await caller.call(endpoint, given).then(
          () => 200,
          (error: unknown) => (error instanceof Refused ? error.status : Promise.reject(error)),
        )
        if (status >= 500) failed.push({ permission, given })
      }
    }
    expect(failed).toEqual([])
  },
)
