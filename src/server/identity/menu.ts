import type { MenuItem } from '#contract/identity/auth.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { menuFor, type MenuBadges } from '#contract/menu.ts'
import type { Actor } from '#server/http/actor.ts'
import { countFailedMails } from '#server/mail/index.ts'
import type { Identity } from './identity.ts'

/** The actor's menu, with badges on entries that need attention. */
export async function menuOf(
  { iam }: Identity,
  actor: Actor,
  badgesOfTenant: BadgesOfTenant,
): Promise<MenuItem[]> {
  const [own, others] = await Promise.all([badgesOf(iam, actor), badgesOfTenant(actor)])
  return menuFor(actor.permissions, { ...own, ...others })
}

/** Badges that count rows of domains which identity doesn't know. */
export type BadgesOfTenant = (actor: Actor) => Promise<MenuBadges>

async function badgesOf(iam: Identity['iam'], actor: Actor): Promise<MenuBadges> {
  const { customerId, organizationId, reach } = actor
  if (organizationId === null || !actor.may(outbox.list.allow)) return {}
  const failed = await countFailedMails(iam, { customerId, organizationId, reach })
  return failed === 0 ? {} : { outbox: { title: String(failed), type: 'bad' } }
}
