import { expect } from 'vitest'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { makeCaller } from '#test/app.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import { expectedStatus, mayImpersonate, pick } from './entry.ts'
import {
  IMPERSONATOR,
  idOf,
  isTimingUncertain,
  recordToken,
  syncFromDatabase,
  now,
  outcomeOf,
  countEvent,
  TARGET,
  type Session,
  type Step,
  type World,
} from './world.ts'

const MODES = [{}, { mode: 'view' }, { mode: 'act', reason: 'To see what they see' }] as const
const REVERT_INPUTS = [{ userId: null }, { token: null }, { userId: null, token: null }] as const

const isImpersonator = ({ user, impersonation: current }: Session): boolean =>
  user === IMPERSONATOR && current === null

/** Impersonates the target, view only or acting. */
export async function startImpersonation(world: World, step: Step): Promise<void> {
  const picked = pick(world, step, { fits: isImpersonator })
  if (picked === null || picked.session.user !== IMPERSONATOR) return
  const { session, token } = picked
  const isUnknown = isTimingUncertain(world, session, token)
  const expected = isUnknown ? 0 : expectedStatus(world, picked, 'write')
  const { status, data } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(impersonation.impersonate, {
      userId: idOf(world, TARGET),
      ...MODES[step.age % MODES.length],
    }),
  )
  if (isUnknown) await syncFromDatabase(world, session)
  else if (expected !== 200) expect(status).toBe(expected)
  else if (session.impersonation !== null) expect(status).toBe(409)
  else expect(status).toBe(mayImpersonate(world) && !world.disabled.has(TARGET) ? 200 : 403)
  if (data === null) return
  countEvent(world, 'impersonate')
  session.impersonation = { since: now(world) }
  recordToken(world, session, data.accessToken)
  expect(readClaims(data.accessToken)).toMatchObject({
    userId: idOf(world, IMPERSONATOR),
    impersonateUserId: idOf(world, TARGET),
  })
  session.organizationId = readClaims(data.accessToken).organizationId
}

/** Switches back, in one of the allowed ways. Then the user is themselves, in their own organization. */
export async function revert(world: World, step: Step): Promise<void> {
  const picked = pick(world, step, { fits: (session) => session.impersonation !== null })
  if (picked === null) return
  const { session, token } = picked
  const isUnknown = isTimingUncertain(world, session, token)
  const expected = isUnknown ? 0 : expectedStatus(world, picked, 'write')
  const { status, data } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(
      impersonation.impersonate,
      REVERT_INPUTS[step.age % REVERT_INPUTS.length] ?? REVERT_INPUTS[0],
    ),
  )
  if (isUnknown) await syncFromDatabase(world, session)
  else if (expected !== 200) expect(status).toBe(expected)
  // When not impersonating, there is nothing to end, and no user to impersonate was given.
  else expect(status).toBe(session.impersonation === null ? 400 : 200)
  if (data === null) return
  countEvent(world, 'revert')
  session.impersonation = null
  session.organizationId = session.ownOrganizationId
  recordToken(world, session, data.accessToken)
  expect(readClaims(data.accessToken)).toMatchObject({
    userId: idOf(world, session.user),
    impersonateUserId: idOf(world, session.user),
    organizationId: session.ownOrganizationId,
  })
}

/** Permissions that change, each in a user type that only one of the two users has. */
const RIGHTS = [
  { name: 'helper may not impersonate', user: IMPERSONATOR, func: 4, opr: 7, isAdded: false },
  { name: 'target has more permissions', user: TARGET, func: 8, opr: 5, isAdded: true },
  { name: 'target may not see lots', user: TARGET, func: 8, opr: 1, isAdded: false },
] as const

/** An administrator adds or removes a permission, or undoes that. */
export async function toggleRight(world: World, step: Step): Promise<void> {
  const right = RIGHTS[step.which % RIGHTS.length] ?? RIGHTS[0]
  const isUndo = world.changedRights.has(right.name)
  await setRight(world, right, isUndo)
  if (isUndo) world.changedRights.delete(right.name)
  else world.changedRights.add(right.name)
}

async function setRight(
  { forecourt }: World,
  { user, func, opr, isAdded }: (typeof RIGHTS)[number],
  isUndo: boolean,
): Promise<void> {
  const type = '(select user_type_id from users where user_name = $1)'
  const text =
    isAdded === isUndo
      ? `delete from user_type_permissions where user_type_id = ${type} and func = $2 and opr = $3`
      : `insert into user_type_permissions (customer_id, user_type_id, func, opr)
        select customer_id, user_type_id, $2, $3 from users where user_name = $1 on conflict do nothing`
  await forecourt.owner.query(text, [user, func, opr])
}

/** Restores the permissions from before the walk. */
export async function restoreRights(world: World): Promise<void> {
  for (const right of RIGHTS) if (world.changedRights.has(right.name)) await setRight(world, right, true)
}
