import type pg from 'pg'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import type { MenuBadges } from '#contract/menu.ts'
import { countDueTargets } from '#server/assessments/index.ts'
import { type Database, inTenant } from '#server/database/tenant-transaction.ts'
import type { Actor, Member } from '#server/http/actor.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import { countDecision } from './decisions.ts'

/** Badges of menu entries that count rows of a tenant which need a decision. */
export async function tenantBadges(pool: pg.Pool, actor: Actor): Promise<MenuBadges> {
  const { organizationId } = actor
  if (organizationId === null) return {}
  const member = { ...actor, organizationId }
  const scope = scopeOf(actor, { endpoint: 'auth.menu', isReadOnly: true })
  return inTenant(pool, scope, (db) => countBadges(db, member))
}

async function countBadges(db: Database, actor: Member): Promise<MenuBadges> {
  const badges: Record<string, MenuBadges[string]> = {}
  const late = await countDecision(db, actor, 'leads-late')
  if (late > 0) badges.leads = { title: late.toLocaleString('en'), type: 'bad' }
  const held = await countDecision(db, actor, 'feeds-to-review')
  if (held > 0) badges.feeds = { title: held.toLocaleString('en'), type: 'bad' }
  if (actor.may(assessments.list.allow)) {
    const { overdue, dueSoon } = await countDueTargets(db, actor.customerId)
    const due = overdue + dueSoon
    if (due > 0) badges.assessments = { title: due.toLocaleString('en'), type: overdue > 0 ? 'bad' : 'warn' }
  }
  return badges
}
