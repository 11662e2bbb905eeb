import type pg from 'pg'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import type { MenuBadges } from '#contract/menu.ts'
import { countDueTargets } from '#server/assessments/index.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import type { Actor } from '#server/http/actor.ts'
import { scopeOf } from '#server/http/scope-of.ts'

/** Badges of menu entries that count rows of a tenant: targets of assessments that are overdue or due soon. */
export async function tenantBadges(pool: pg.Pool, actor: Actor): Promise<MenuBadges> {
  if (actor.organizationId === null || !actor.may(assessments.list.allow)) return {}
  const scope = scopeOf(actor, { endpoint: 'auth.menu', isReadOnly: true })
  const { overdue, dueSoon } = await inTenant(pool, scope, (db) => countDueTargets(db, actor.customerId))
  if (overdue + dueSoon === 0) return {}
  return { assessments: { title: String(overdue + dueSoon), type: overdue > 0 ? 'bad' : 'warn' } }
}
