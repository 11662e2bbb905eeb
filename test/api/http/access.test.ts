import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { describe as describePermission, holds, type Permissions } from '#contract/permissions.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { everyCase } from '#test/cases/cases.ts'
import { placeOf, type Place } from '#test/factories/places.ts'
import { alterSession, forkSession, sessionIdOf } from '#test/factories/identity/sessions.ts'

type Standing = 'stranger' | 'unverified' | 'without organization' | 'member'
type Principal = { caller: Caller; standing: Standing; place: Place; held: Permissions }

const names = [
  'anonymous',
  'unverified',
  'without organization',
  'super in Northgate',
  'northgate.admin',
  'northgate.dealer',
  'northgate.sustain',
  'northgate.auditor',
  'northgate.participant',
  'harbor.dealer',
] as const

let forecourt: TestApp
const principals = new Map<string, Principal>()

beforeAll(async () => {
  forecourt = await testApp()
  const ford = await placeOf(forecourt, 'Northgate Ford')
  const harbor = await placeOf(forecourt, 'Harbor Pre-Owned')
  await ford.addMember({ userName: 'northgate.participant', userType: 'Participant' })
  const { token } = await forecourt.as('northgate.dealer')
  // One sign-in is enough for the case that needs somebody else's token.
  const at = (place: Place): Place => ({ ...place, token: () => Promise.resolve(token ?? '') })

  const add = async (name: string, caller: Caller, standing: Standing, place = ford) => {
    const held =
      caller.token === null ? { isSuper: false, permissions: [] } : await caller.call(auth.authFunc, {})
    principals.set(name, { caller, standing, place: at(place), held })
  }
  await add('anonymous', forecourt.anonymous, 'stranger')
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
  await add('harbor.dealer', await forecourt.as('harbor.dealer'), 'member', harbor)
})
afterAll(() => forecourt.close())

/** What the contract says of this person, in words of this file: 200, 401 or 403. */
function expected({ standing, held }: Principal, { allow }: Endpoint): number {
  if (allow === 'anyone') return 200
  if (standing === 'stranger') return 401
  if (allow === 'session') return 200
  if (standing === 'unverified') return 401
  if (allow === 'verified') return 200
  if (standing === 'without organization') return 403
  if (allow === 'member') return 200
  const wanted = 'anyOf' in allow ? allow.anyOf : [allow]
  return wanted.some((permission) => holds(held, permission)) ? 200 : 403
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

/** Inputs of calls that are refused before they reach a row: one for all who may not make the call. */
const untouched = new Map<string, unknown>()
async function inputFor({ name, input }: (typeof everyCase)[number], { place }: Principal) {
  const key = `${name} ${place.organizationId}`
  if (!untouched.has(key)) untouched.set(key, await input(place))
  return untouched.get(key)
}

describe.for(names)('%s', (who) => {
  test.for(everyCase)('gets from $name what the contract says', async (one) => {
    const { endpoint, input, letIn } = one
    const principal = principals.get(who)
    if (principal === undefined) throw new Error(`${who} did not sign in.`)
    const { caller, place } = principal
    const wanted = expected(principal, endpoint)
    const isLetIn = wanted === 200 && caller.token !== null
    // What is let in may end the session or change a row: it has its own.
    const own = isLetIn ? await forkSession(forecourt, caller) : caller
    const sent = wanted === 200 ? await input(place) : await inputFor(one, principal)
    // `call` also holds every answer against the endpoint's schema, and every refusal against Refusal.
    const outcome = await statusOf(own.call(endpoint, sent))
    expect(outcome).toMatchObject({ status: wanted === 200 ? letIn : wanted })
  })
})

describe('a participant who may not even see the dashboard', () => {
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
    'is told by the refusal of $name which function and operation are missing',
    async (one) => {
      const { endpoint } = one
      const principal = principals.get('northgate.participant')
      if (principal === undefined || typeof endpoint.allow === 'string') throw new Error('Nothing to ask.')
      const wanted = 'anyOf' in endpoint.allow ? endpoint.allow.anyOf : [endpoint.allow]
      const outcome = await statusOf(principal.caller.call(endpoint, await inputFor(one, principal)))
      expect(outcome).toEqual({
        status: 403,
        message: `You may not do this. It needs ${wanted.map(describePermission).join(' or ')}.`,
      })
    },
  )
})

// The matrix above believes auth-func. This table does not.
test.for([
  ['northgate.admin', [8, 5, true], [5, 5, true], [2, 8, true]],
  ['northgate.dealer', [8, 3, true], [5, 1, false], [20, 3, false]],
  ['northgate.sustain', [8, 1, true], [8, 3, false], [20, 3, true]],
  ['northgate.auditor', [8, 1, true], [8, 3, false], [20, 3, true]],
  ['northgate.participant', [1, 1, true], [8, 1, false], [5, 1, false]],
  ['without organization', [1, 1, false], [8, 1, false], [5, 1, false]],
  ['unverified', [1, 1, false], [8, 1, false], [5, 1, false]],
] as const)('%s holds what the user type says', ([who, ...grants]) => {
  const held = principals.get(who)?.held ?? { isSuper: true, permissions: [] }
  expect(grants.map(([func, opr]) => [func, opr, holds(held, { func, opr })])).toEqual(grants)
})

test('a permission taken away counts with the next request of a running session', async () => {
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
