import type { auth, MenuItem } from '#contract/identity/auth.ts'
import { NO_ORGANIZATION } from '#contract/identity/sessions/session.ts'
import { clock } from '#server/clock.ts'
import type { Actor, Visit } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { isCopy } from '#server/installation/copy-state.ts'
import type { Handlers } from '#server/http/serve.ts'
import { changePassword } from './passwords/change-password.ts'
import { forgotPassword } from './passwords/forgot-password.ts'
import type { Identity } from './identity.ts'
import { readAppearance, saveAppearance } from './branding/own-appearance.ts'
import { refuseForeignToken } from './sessions/own-token.ts'
import { refresh } from './sign-in/refresh.ts'
import { checkReset, resetPassword } from './passwords/reset-password.ts'
import { moveSession, noteActivity, readSession, revokeSession } from './sessions/sessions.ts'
import { signIn } from './sign-in/sign-in.ts'
import { listSwitchChoices } from './sessions/switch-choices.ts'
import { issueToken } from './sessions/token-issue.ts'
import { whiteLabelOf } from './branding/white-label.ts'
import { noteAccess } from './sign-in/note-access.ts'
import { isBoundTo } from './sign-in/authenticate.ts'
import { sessionIdIn } from './credentials/tokens.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { menuFor, type MenuBadges } from '#contract/menu.ts'
import { countFailedMails } from '#server/mail/index.ts'

/** The calls under api/auth. None runs in a tenant, because they decide which tenant a user is in. */
export function authHandlers(identity: Identity, badges: BadgesOfTenant): Handlers<typeof auth> {
  const { iam, settings, tokens } = identity
  return {
    signIn: ({ visit, input }) => signIn(identity, visit, input),
    refreshToken: ({ visit, input }) => refresh(identity, visit, input),
    authFunc: async ({ actor }) => ({
      isSuper: actor.permissions.isSuper,
      permissions: [...actor.permissions.permissions],
    }),
    me: async ({ actor }) => ({
      fullName: actor.fullName,
      impersonateFullName: actor.effectiveFullName,
      impersonation: actor.impersonation,
      appearance: await readAppearance(iam, ownOf(actor)),
      isRestoredCopy: await isCopy(iam),
    }),
    menu: ({ actor }) => menuOf(identity, actor, badges),

    async changeOrganization({ visit, actor, input }) {
      if (input.token) await refuseForeignToken(tokens, actor, input.token)
      const of = { customerId: actor.effectiveCustomerId, userId: actor.effectiveUserId }
      const [choice] = await listSwitchChoices(iam, of, { only: input.organizationId })
      if (choice === undefined) throw notFound('Organization')
      await moveSession(iam, actor.sessionId, { customerId: choice.customerId, organizationId: choice.id })
      const session = await readSession(iam, actor.sessionId)
      if (session === null) throw notFound('Session')
      // Also for the customer that platform staff enter.
      for (const customerId of new Set([actor.userCustomerId, choice.customerId]))
        await noteAccess(iam, visit, ownOf(actor), {
          endpoint: 'auth.changeOrganization',
          what: `switched to ${choice.name}`,
          customerId,
        })
      return issueToken(identity, session)
    },

    async keepAlive({ actor, input }) {
      const session = await readSession(iam, actor.sessionId)
      if (session === null) throw notFound('Session')
      // A session without a cookie belongs to a program, which extends it by refreshing.
      const lastActive =
        session.cookieHash === null ? session.lastActiveAt : await noteActivity(iam, session.id, input.idleMs)
      return {
        serverTime: clock.date().toISOString(),
        idleEndsAt: new Date(Date.parse(lastActive) + settings.idleSeconds * 1000).toISOString(),
        endsAt: session.endsAt,
        organizationId: session.organizationId ?? NO_ORGANIZATION,
        permissionsVersion: actor.permissionsVersion,
      }
    },

    async signOut({ visit }) {
      await endSession(identity, visit)
      visit.clearSessionCookies()
      return null
    },

    forgotPassword: ({ visit, input }) => forgotPassword(identity, visit, input),
    checkReset: ({ visit, input }) => checkReset(identity, visit, input.resetValue),
    resetPassword: ({ visit, input }) => resetPassword(identity, visit, input),
    changePassword: ({ visit, actor, input }) => changePassword(identity, visit, actor, input),
    saveAppearance: ({ actor, input }) => saveAppearance(iam, ownOf(actor), input),

    whiteLabel: ({ visit }) => whiteLabelOf(iam, visit.host),
  }
}

/** The real user, even while impersonating. */
const ownOf = ({ userCustomerId, userId }: Actor) => ({ customerId: userCustomerId, userId })

/**
 * Ends the session of the bearer token, even if expired or superseded, provided that the session's cookie was
 * sent. Without a bearer token, ends the session of the cookie if the XSRF header proves that the request is
 * from our page.
 */
async function endSession({ iam, tokens }: Identity, visit: Visit): Promise<void> {
  const claims = visit.bearer === null ? null : await tokens.verify(visit.bearer)
  const sessionId = claims?.sid ?? sessionOfPage(tokens, visit)
  const session = sessionId === null ? null : await readSession(iam, sessionId)
  if (session === null || !isBoundTo(session, visit)) return
  if (!(await revokeSession(iam, session.id, 'signed out'))) return
  await noteAccess(iam, visit, session, { endpoint: 'auth.signOut', what: 'signed out' })
}

function sessionOfPage(tokens: Identity['tokens'], { cookie, xsrf }: Visit): string | null {
  const sessionId = sessionIdIn(cookie)
  return sessionId !== null && xsrf === tokens.xsrf(sessionId) ? sessionId : null
}

/** The actor's menu, with badges on entries that need attention. */
async function menuOf({ iam }: Identity, actor: Actor, badgesOfTenant: BadgesOfTenant): Promise<MenuItem[]> {
  const [own, others] = await Promise.all([badgesOf(iam, actor), badgesOfTenant(actor)])
  return menuFor(actor.permissions, { ...own, ...others })
}

/** Badges that count rows of domains which identity doesn't know. */
type BadgesOfTenant = (actor: Actor) => Promise<MenuBadges>

async function badgesOf(iam: Identity['iam'], actor: Actor): Promise<MenuBadges> {
  const { organizationId } = actor
  if (organizationId === null || !actor.may(outbox.list.allow)) return {}
  const failed = await countFailedMails(iam, { ...actor, organizationId })
  return failed === 0 ? {} : { outbox: { title: String(failed), type: 'bad' } }
}
