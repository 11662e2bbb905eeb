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
import { startImpersonation, endImpersonation } from './impersonations.ts'
import { listSwitchChoices } from '../sessions/switch-choices.ts'
import { issueToken } from '../sessions/token-issue.ts'

/** Into somebody's skin and back. */
export function impersonationHandlers(identity: Identity): Handlers<typeof impersonation> {
  return {
    async impersonate({ actor, input }) {
      if (input.token) await refuseForeignToken(identity.tokens, actor, input.token)
      if (actor.userId === actor.effectiveUserId) return enter(identity, actor, input)
      if (input.userId === null || input.token === null) return goBack(identity, actor)
      throw conflict('You are acting as somebody else already. Switch back first.')
    },
  }
}

/**
 * The person is told by a mail, whose words are made before anything changes: they are what takes long. Where it cannot
 * be put in line, the session goes back.
 */
async function enter(
  identity: Identity,
  actor: Actor,
  { userId, mode, reason }: Received<typeof impersonation.impersonate>,
): Promise<Token> {
  const { iam } = identity
  if (userId === undefined || userId === null) {
    throw refused('Some fields are not right.', { userId: 'Choose a person.' })
  }
  const person = await readAllowed(identity, actor, userId)
  const isLookOnly = mode === 'look'
  const mail = await writeImpersonationMail(identity, person, { byName: actor.fullName, isLookOnly })
  const session = await readSession(iam, actor.sessionId)
  if (session === null) throw unauthenticated()
  const isEntered = await startImpersonation(iam, {
    sessionId: session.id,
    generation: session.generation,
    worn: {
      ...session,
      effectiveCustomerId: person.customerId,
      effectiveUserId: person.id,
      effectiveFullName: person.fullName,
    },
    place: await placeOf(identity, actor, person),
    isLookOnly,
    reason: reason ?? null,
  })
  if (isEntered === null) throw conflict('Your session changed meanwhile. Try again.')
  try {
    await putImpersonationMail(identity, person, mail)
  } catch (error) {
    await goBack(identity, actor)
    throw error
  }
  return tokenOf(identity, actor)
}

async function readAllowed(identity: Identity, actor: Actor, userId: string): Promise<UserRow> {
  const person = await readUserRow(identity.iam, userId)
  const held = person === null ? [] : (await rightsOfUser(identity, person)).permissions.permissions
  const { permissions, may, reach, customerId, organizationId } = actor
  const asker = { userId: actor.userId, isSuper: permissions.isSuper, may, reach, customerId, organizationId }
  const refusal = whyNotImpersonate(asker, person, held)
  if (refusal !== null) throw refusal
  if (person === null) throw new Error('Nobody may act as nobody.')
  return person
}

/** The organization acted in where the person works there too; else their only one; else they choose. */
async function placeOf(
  { iam }: Identity,
  actor: Actor,
  person: UserRow,
): Promise<{ customerId: string; organizationId: string | null }> {
  const of = { customerId: person.customerId, userId: person.id }
  const [same] =
    actor.organizationId === null ? [] : await listSwitchChoices(iam, of, { only: actor.organizationId })
  const choices = same === undefined ? await listSwitchChoices(iam, of, { most: 2 }) : [same]
  const only = choices.length === 1 ? choices[0] : undefined
  return { customerId: only?.customerId ?? person.customerId, organizationId: only?.id ?? null }
}

async function goBack(identity: Identity, actor: Actor): Promise<Token> {
  const session = await readSession(identity.iam, actor.sessionId)
  if (session !== null) await endImpersonation(identity.iam, session)
  return tokenOf(identity, actor)
}

async function tokenOf(identity: Identity, { sessionId }: Actor): Promise<Token> {
  const session = await readSession(identity.iam, sessionId)
  if (session === null) throw unauthenticated('Your session has ended. Sign in again.')
  return issueToken(identity, session)
}
