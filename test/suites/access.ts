import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { holds, type Permissions } from '#contract/permissions.ts'
import { describe as describePermission } from '#contract/permission-text.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { everyCase } from '#test/cases/cases.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { alterSession, forkSession, sessionIdOf } from '#test/factories/identity/sessions.ts'

type Standing = 'anonymous' | 'participant' | 'unverified' | 'without organization' | 'member'
type Principal = {
  caller: Caller
  standing: Standing
  place: TestOrganization
  held: Permissions
  reachesCustomer: boolean
}

export const PRINCIPALS = [
  'anonymous',
  'unverified',
  'without organization',
  'super in Northgate',
  'northgate.admin',
  'northgate.dealer',
  'northgate.sustain',
  'northgate.auditor',
  'northgate.participant',
  'a participant of an assessment',
  'harbor.dealer',
] as const
type Name = (typeof PRINCIPALS)[number]

let forecourt: TestApp
const principals = new Map<string, Principal>()

async function start(): Promise<void> {
  forecourt = await testApp()
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  const harbor = await testOrganization(forecourt, 'Harbor Pre-Owned')
  await ford.addMember({ userName: 'northgate.participant', userType: 'Participant' })
  const { token } = await forecourt.as('northgate.dealer')
  // One sign-in is enough for the case that needs another user's token.
  const at = (place: TestOrganization): TestOrganization => ({
    ...place,
    token: () => Promise.resolve(token ?? ''),
  })

  const add = async (name: string, caller: Caller, standing: Standing, place = ford) => {
    const held =
      caller.token === null ? { isSuper: false, permissions: [] } : await caller.call(auth.authFunc, {})
    const { rows } = await forecourt.owner.query<{ reach: string }>(
      'select t.reach from users u join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id where u.user_name = $1',
      [name],
    )
    const reachesCustomer = held.isSuper || rows[0]?.reach === 'customer'
    principals.set(name, { caller, standing, place: at(place), held, reachesCustomer })
  }
  await add('anonymous', forecourt.anonymous, 'anonymous')
  const halfway = await forecourt.as('northgate.dealer')
  await alterSession(forecourt, sessionIdOf(halfway), 'is_verified = false')
  await add('unverified', halfway, 'unverified')
  await add('without organization', await forecourt.as('northgate.sustain'), 'without organization')
  await add('super in Northgate', await forecourt.as('super', 'Northgate Ford'), 'member')
  await add('northgate.admin', await forecourt.as('northgate.admin', 'Northgate Ford'), 'member')
  await add('northgate.sustain', await forecourt.as('northgate.sustain', 'Northgate Ford'), 'member')
  for (const name of ['northgate.dealer', 'northgate.auditor', 'northgate.participant']) {
    await add(name, await forecourt.as(name), 'member')
  }
  const participant = await ford.asParticipant()
  principals.set('a participant of an assessment', {
    caller: participant,
    standing: 'participant',
    place: at(ford),
    held: { isSuper: false, permissions: [] },
    reachesCustomer: false,
  })
  await add('harbor.dealer', await forecourt.as('harbor.dealer'), 'member', harbor)
}

/** The status expected by the contract for this user: 200, 401 or 403. */
function expected({ standing, held }: Principal, { allow }: Endpoint): number {
  if (allow === 'anyone') return 200
  if (standing === 'anonymous') return 401
  if (standing === 'participant' || allow === 'participant')
    return allow === 'participant' && standing === 'participant' ? 200 : 401
  if (allow === 'session') return 200
  if (standing === 'unverified') return 401
  if (allow === 'verified') return 200
  if (standing === 'without organization') return 403
  if (allow === 'member') return 200
  const required = 'anyOf' in allow ? allow.anyOf : [allow]
  return required.some((permission) => holds(held, permission)) ? 200 : 403
}

async function statusOf(call: Promise<unknown>): Promise<{ status: number; message: string }> {
  try {
    await call
    return { status: 200, message: '' }
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, message: error.refusal.message }
    throw error
  }
}

function newSession({ caller, standing, place }: Principal): Promise<Caller> {
  return standing === 'participant' ? place.asParticipant() : forkSession(forecourt, caller)
}

/** Inputs of calls that are rejected before they reach a row, shared by all users without permission. */
const sharedInputs = new Map<string, unknown>()
async function inputFor({ name, input }: (typeof everyCase)[number], { place }: Principal) {
  const key = `${name} ${place.organizationId}`
  if (!sharedInputs.has(key)) sharedInputs.set(key, await input(place))
  return sharedInputs.get(key)
}

/**
 * Checks what every endpoint answers to people of each kind.
 * @param names Whose allowed calls are made. Each of them makes every call.
 */
export function describeAccess(names: readonly Name[]): void {
  beforeAll(start)
  afterAll(() => forecourt.close())

  describeMessages()
  describeTypes()
  describe.for(names)('%s', (who) => {
    test.for(everyCase)('gets the status from $name that the contract defines', async (one) => {
      const { endpoint, input, allowedStatus, needsCustomerReach } = one
      const principal = principals.get(who)
      if (principal === undefined) throw new Error(`${who} did not sign in.`)
      const { caller, place } = principal
      const required = expected(principal, endpoint)
      const isAllowed = required === 200 && caller.token !== null
      // An allowed call may end the session or change a row, so it gets its own session.
      const own = isAllowed ? await newSession(principal) : caller
      const sent = required === 200 ? await input(place) : await inputFor(one, principal)
      // Wrong passwords of other cases would make this one wait.
      if (allowedStatus === 400) await forecourt.owner.query('delete from iam.sign_in_failures')
      // `call` also validates every response against the endpoint's schema or Refusal.
      const outcome = await statusOf(own.call(endpoint, sent))
      const allowed = needsCustomerReach === true && !principal.reachesCustomer ? 403 : allowedStatus
      expect(outcome).toMatchObject({ status: required === 200 ? allowed : required })
    })
  })
}

function describeMessages(): void {
  describe('a participant without access to the dashboard', () => {
    beforeAll(async () => {
      await forecourt.owner.query(
        `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
        select customer_id, id, 1, 1, false from users where user_name = 'northgate.participant'`,
      )
    })
    afterAll(async () => {
      await forecourt.owner.query('delete from user_permissions')
    })

    test.for(everyCase.filter(({ endpoint }) => typeof endpoint.allow === 'object'))(
      'gets an error from $name that names the missing function and operation',
      async (one) => {
        const { endpoint } = one
        const principal = principals.get('northgate.participant')
        if (principal === undefined || typeof endpoint.allow === 'string')
          throw new Error('There is nothing to call.')
        const required = 'anyOf' in endpoint.allow ? endpoint.allow.anyOf : [endpoint.allow]
        const outcome = await statusOf(principal.caller.call(endpoint, await inputFor(one, principal)))
        expect(outcome).toEqual({
          status: 403,
          message: `You don't have permission to do this. It requires ${required.map(describePermission).join(' or ')}.`,
        })
      },
    )
  })
}

function describeTypes(): void {
  // The matrix relies on auth-func. This table does not.
  test.for([
    ['northgate.admin', [8, 5, true], [5, 5, true], [2, 8, true]],
    ['northgate.dealer', [8, 3, true], [5, 1, false], [20, 3, false]],
    ['northgate.sustain', [8, 1, true], [8, 3, false], [20, 3, true]],
    ['northgate.auditor', [8, 1, true], [8, 3, false], [20, 3, true], [10, 1, false]],
    ['northgate.participant', [1, 1, true], [8, 1, false], [5, 1, false]],
    ['without organization', [1, 1, false], [8, 1, false], [5, 1, false]],
    ['unverified', [1, 1, false], [8, 1, false], [5, 1, false]],
  ] as const)('%s has the permissions of the user type', ([who, ...grants]) => {
    const held = principals.get(who)?.held ?? { isSuper: true, permissions: [] }
    expect(grants.map(([func, opr]) => [func, opr, holds(held, { func, opr })])).toEqual(grants)
  })

  test('a revoked permission takes effect with the next request of a session', async () => {
    const auditor = await forecourt.as('northgate.auditor')
    const list = everyCase.find(({ name }) => name === 'lots.list')
    if (list === undefined) throw new Error('There is no lots.list.')
    await auditor.call(list.endpoint, {})
    await forecourt.owner.query(
      `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
      select customer_id, id, 8, 1, false from users where user_name = 'northgate.auditor'`,
    )
    await expect(auditor.call(list.endpoint, {})).toRefuse(403, 'Lots, list (8, 1)')
  })
}
