import type { Received } from '#contract/endpoint.ts'
import type { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import type { Actor } from '#server/http/actor.ts'
import { conflict, refused, unauthenticated } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Identity } from '../identity.ts'
import { putImpersonationMail, writeImpersonationMail } from './impersonation-mail.ts'
import { readUserRow, rightsOfUser, whyNotImpersonate, type UserRow } from './impersonation-rules.ts'
import { refuseForeignToken } from '../sessions/own-token.ts'
import { readSession } from '../sessions/sessions.ts'
import { startImpersonation, endImpersonation } from '../sessions/impersonations.ts'
import { listSwitchChoices } from '../sessions/switch-choices.ts'
import { issueToken } from '../sessions/token-issue.ts'

/** Starts and ends impersonation. */
export function impersonationHandlers(identity: Identity): Handlers<typeof impersonation> {
  return {
    async impersonate({ actor, input }) {
      if (input.token) await refuseForeignToken(identity.tokens, actor, input.token)
      if (actor.userId === actor.effectiveUserId) return enter(identity, actor, input)
      if (input.userId === null || input.token === null) return switchBack(identity, actor)
      throw conflict("You're already impersonating a user. Switch back first.")
    },
  }
}

/**
 * The impersonated user gets an email. It is rendered before anything changes, because rendering is the slow
 * part. If it can't be queued, the impersonation is ended.
 */
async function enter(
  identity: Identity,
  actor: Actor,
  { userId, mode, reason }: Received<typeof impersonation.impersonate>,
): Promise<Token> {
  const { iam } = identity
  if (userId === undefined || userId === null) {
    throw refused('Some fields are invalid.', { userId: 'Choose a user.' })
  }
  const user = await readAllowed(identity, actor, userId)
  const isViewOnly = mode === 'view'
  const mail = await writeImpersonationMail(identity, user, { byName: actor.fullName, isViewOnly })
  const session = await readSession(iam, actor.sessionId)
  if (session === null) throw unauthenticated()
  const isEntered = await startImpersonation(iam, {
    sessionId: session.id,
    generation: session.generation,
    users: {
      ...session,
      effectiveCustomerId: user.customerId,
      effectiveUserId: user.id,
      effectiveFullName: user.fullName,
    },
    target: await organizationFor(identity, actor, user),
    isViewOnly,
    reason: reason ?? null,
    origin: actor.origin ?? null,
  })
  if (isEntered === null) throw conflict('Your session has changed. Try again.')
  try {
    await putImpersonationMail(identity, user, mail)
  } catch (error) {
    await switchBack(identity, actor)
    throw error
  }
  return tokenOf(identity, actor)
}

async function readAllowed(identity: Identity, actor: Actor, userId: string): Promise<UserRow> {
  const user = await readUserRow(identity.iam, userId)
  const held = user === null ? [] : (await rightsOfUser(identity, user)).permissions.permissions
  const refusal = whyNotImpersonate({ ...actor, isSuper: actor.permissions.isSuper }, user, held)
  if (refusal !== null) throw refusal
  if (user === null) throw new Error('The user to impersonate is missing.')
  return user
}

/**
 * The current organization if the user belongs to it too, else their only organization, else none: then the
 * impersonator chooses.
 */
async function organizationFor(
  { iam }: Identity,
  actor: Actor,
  user: UserRow,
): Promise<{ customerId: string; organizationId: string | null }> {
  const of = { customerId: user.customerId, userId: user.id }
  const [same] =
    actor.organizationId === null ? [] : await listSwitchChoices(iam, of, { only: actor.organizationId })
  const choices = same === undefined ? await listSwitchChoices(iam, of, { most: 2 }) : [same]
  const only = choices.length === 1 ? choices[0] : undefined
  return { customerId: only?.customerId ?? user.customerId, organizationId: only?.id ?? null }
}

async function switchBack(identity: Identity, actor: Actor): Promise<Token> {
  const session = await readSession(identity.iam, actor.sessionId)
  if (session !== null) await endImpersonation(identity.iam, session, { origin: actor.origin ?? null })
  return tokenOf(identity, actor)
}

async function tokenOf(identity: Identity, { sessionId }: Actor): Promise<Token> {
  const session = await readSession(identity.iam, sessionId)
  if (session === null) throw unauthenticated('Your session has ended. Sign in again.')
  return issueToken(identity, session)
}
