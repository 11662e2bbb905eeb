import { expect } from 'vitest'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { makeCaller } from '#test/app.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import { enter, mayWear, pick } from './entry.ts'
import {
  HELPER,
  idOf,
  isBlurred,
  keep,
  look,
  now,
  outcomeOf,
  tally,
  WORN,
  type Session,
  type Step,
  type World,
} from './world.ts'

const WAYS = [{}, { mode: 'look' }, { mode: 'act', reason: 'To see what they see' }] as const
const BACK = [{ userId: null }, { token: null }, { userId: null, token: null }] as const

const isHelper = ({ person, skin }: Session): boolean => person === HELPER && skin === null

/** Looks or acts as the other person. */
export async function startImpersonationWalk(world: World, step: Step): Promise<void> {
  const picked = pick(world, step, { fits: isHelper })
  if (picked === null || picked.session.person !== HELPER) return
  const { session, token } = picked
  const isUnknown = isBlurred(world, session, token)
  const expected = isUnknown ? 0 : enter(world, picked, 'write')
  const { status, data } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(impersonation.impersonate, {
      userId: idOf(world, WORN),
      ...WAYS[step.age % WAYS.length],
    }),
  )
  if (isUnknown) await look(world, session)
  else if (expected !== 200) expect(status).toBe(expected)
  else if (session.skin !== null) expect(status).toBe(409)
  else expect(status).toBe(mayWear(world) && !world.disabled.has(WORN) ? 200 : 403)
  if (data === null) return
  tally(world, 'skin')
  session.skin = { since: now(world) }
  keep(world, session, data.accessToken)
  expect(readClaims(data.accessToken)).toMatchObject({
    userId: idOf(world, HELPER),
    impersonateUserId: idOf(world, WORN),
  })
  session.organizationId = readClaims(data.accessToken).organizationId
}

/** Goes back, by either word: then the person is themselves, where they were. */
export async function revert(world: World, step: Step): Promise<void> {
  const picked = pick(world, step, { fits: ({ skin }) => skin !== null })
  if (picked === null) return
  const { session, token } = picked
  const isUnknown = isBlurred(world, session, token)
  const expected = isUnknown ? 0 : enter(world, picked, 'write')
  const { status, data } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(
      impersonation.impersonate,
      BACK[step.age % BACK.length] ?? BACK[0],
    ),
  )
  if (isUnknown) await look(world, session)
  else if (expected !== 200) expect(status).toBe(expected)
  // In one's own skin there is nothing to go back from: whom to become was not said.
  else expect(status).toBe(session.skin === null ? 400 : 200)
  if (data === null) return
  tally(world, 'revert')
  session.skin = null
  session.organizationId = session.ownOrganizationId
  keep(world, session, data.accessToken)
  expect(readClaims(data.accessToken)).toMatchObject({
    userId: idOf(world, session.person),
    impersonateUserId: idOf(world, session.person),
    organizationId: session.ownOrganizationId,
  })
}

/** What becomes different for whom: a right of the user type that each of the two has for themselves. */
const RIGHTS = [
  { name: 'helper may not impersonate', person: HELPER, func: 4, opr: 7, isAdded: false },
  { name: 'worn may do more', person: WORN, func: 8, opr: 5, isAdded: true },
  { name: 'worn may not see lots', person: WORN, func: 8, opr: 1, isAdded: false },
] as const

/** An administrator takes a right away or gives one, or takes that back. */
export async function turnRight(world: World, step: Step): Promise<void> {
  const right = RIGHTS[step.which % RIGHTS.length] ?? RIGHTS[0]
  const isBack = world.turned.has(right.name)
  await setRight(world, right, isBack)
  if (isBack) world.turned.delete(right.name)
  else world.turned.add(right.name)
}

async function setRight(
  { forecourt }: World,
  { person, func, opr, isAdded }: (typeof RIGHTS)[number],
  isBack: boolean,
): Promise<void> {
  const type = '(select user_type_id from users where user_name = $1)'
  const text =
    isAdded === isBack
      ? `delete from user_type_permissions where user_type_id = ${type} and func = $2 and opr = $3`
      : `insert into user_type_permissions (customer_id, user_type_id, func, opr)
        select customer_id, user_type_id, $2, $3 from users where user_name = $1 on conflict do nothing`
  await forecourt.owner.query(text, [person, func, opr])
}

/** Everything as it was before the walk. */
export async function restoreRights(world: World): Promise<void> {
  for (const right of RIGHTS) if (world.turned.has(right.name)) await setRight(world, right, true)
}
