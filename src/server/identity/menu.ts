import type { MenuItem } from '#contract/identity/auth.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { menuFor, type MenuBadges } from '#contract/menu.ts'
import type { Actor } from '#server/http/actor.ts'
import { countFailedMails } from '#server/mail/index.ts'
import type { Identity } from './identity.ts'

/** The actor's menu, with badges on entries that need attention. */
export async function menuOf({ iam }: Identity, actor: Actor): Promise<MenuItem[]> {
  return menuFor(actor.permissions, await badgesOf(iam, actor))
}

async function badgesOf(iam: Identity['iam'], actor: Actor): Promise<MenuBadges> {
  const { customerId, organizationId, reach } = actor
  if (organizationId === null || !actor.may(outbox.list.allow)) return {}
  const failed = await countFailedMails(iam, { customerId, organizationId, reach })
  return failed === 0 ? {} : { outbox: { title: String(failed), type: 'bad' } }
}
