import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { chooseLeadDestinations } from '#contract/leads/routing/choose-lead-destinations.ts'
import {
  leadRuleErrors,
  type LeadRoutingRule,
  type LeadRoutingRuleInput,
  leadRoutingRuleRecord,
  type leadRoutingRules,
  LeadRoute,
  MAX_RULES,
} from '#contract/leads/routing/lead-routing-rules.ts'
import { warnOfRules } from '#contract/leads/routing/rule-warnings.ts'
import { clock } from '#server/clock.ts'
import { findRecords, holdRecords } from '#server/database/hold-records.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { readOpenLeads } from './open-leads.ts'
import { readRoutedLeads } from './read-facts.ts'
import { requireCustomerReach } from './require-customer-reach.ts'
import { readRoutingSettings } from './routing-settings.ts'
import { leadRuleColumns, lockCursor, readRules, readSetup, setupFor } from './rule-rows.ts'
import { readReturning } from './returning-buyer.ts'
import { simulateRouting } from './simulate-routing.ts'

/** The lead routing rules of the customer. Users of one organization see them; users with customer reach change them. */
export const leadRoutingRuleHandlers: Handlers<typeof leadRoutingRules> = {
  list: ({ db, actor }) => readRules(db, actor.customerId),

  get: ({ db, input }) => readRule(db, input.id),

  async add({ db, actor, input }) {
    requireCustomerReach(actor)
    return addLeadRule(db, actor.customerId, input)
  },

  async update({ db, actor, input: { id, version, ...changes } }) {
    requireCustomerReach(actor)
    await sql`select from lead_routing_rules where id = ${id} for update`.execute(db)
    const current = await readRule(db, id)
    if (version !== undefined && version !== current.version) throw stale('This rule', current)
    const wanted = leadRoutingRuleRecord.schema.parse({ ...current, ...definedIn(changes) })
    await validateRule(db, wanted)
    await explainRefusal(
      db
        .updateTable('leadRoutingRules')
        .set({ version: sql`version`, ...leadRuleColumns.write(changes) })
        .where('id', '=', id)
        .execute(),
    )
    return readRule(db, id)
  },

  async order({ db, actor, input }) {
    requireCustomerReach(actor)
    const { rows } = await sql<{ id: string }>`select id::text from lead_routing_rules
      where customer_id = ${actor.customerId} and not is_catch_all order by position, id for update`.execute(
      db,
    )
    const stored = rows.map(({ id }) => id)
    const isSame =
      stored.length === input.ids.length && new Set([...stored, ...input.ids]).size === stored.length
    if (!isSame)
      throw conflict('Rules were added or deleted in the meantime. Reload the page, then order them again.')
    if (!isDeepStrictEqual(stored, input.before))
      throw conflict('Someone else put the rules in another order. Look at it, then move your rule again.')
    await sql`update lead_routing_rules r set position = o.position
      from unnest(${input.ids}::bigint[]) with ordinality o (id, position)
      where r.customer_id = ${actor.customerId} and r.id = o.id and r.position <> o.position`.execute(db)
    return readRules(db, actor.customerId)
  },

  async remove({ db, actor, input }) {
    requireCustomerReach(actor)
    const current = await readRule(db, input.id)
    await requireSeen(db, input, { table: 'leadRoutingRules', noun: 'rule', read: readRule })
    if (current.isCatchAll) throw conflict("The last rule can't be deleted, so that no lead is lost.")
    await db.deleteFrom('leadRoutingRules').where('id', '=', input.id).execute()
    return null
  },

  async effects({ db, actor }) {
    const { rules, destinations } = await readSetup(db, actor.customerId)
    const warnings = warnOfRules(rules, destinations)
    const { rows } = await sql<{ ruleId: string; sent: number }>`
      select x::text as rule_id, count(*)::int as sent from lead_routes r cross join unnest(r.rule_ids) x
      where r.customer_id = ${actor.customerId} and r.at > app_now() - interval '30 days' group by x`.execute(
      db,
    )
    const sent = new Map(rows.map((row) => [row.ruleId, row.sent]))
    return rules.map(({ id }) => {
      const warning = warnings.get(id)
      return {
        ruleId: id,
        sent: sent.get(id) ?? 0,
        warning: warning === undefined ? null : { kind: warning.kind, text: warning.text },
      }
    })
  },

  async simulate({ db, actor, input: { id, rule, order, leads } }) {
    const current = id === null ? null : await readRule(db, id)
    const draft = rule === undefined ? null : toRule(rule, current)
    if (draft !== null) await validateRule(db, draft, { isTrial: true })
    return simulateRouting(db, actor.customerId, { draft, order: order ?? null }, leads)
  },

  async test({ db, actor, input }) {
    const [lead] = await readRoutedLeads(db, sql`l.id = ${input.id}`, 1)
    if (lead === undefined) throw notFound('Lead')
    const setup = setupFor(await readSetup(db, actor.customerId), lead.organizationId)
    const { cursor, day } = await lockCursor(db, actor.customerId, { isLocked: false })
    const { chosen, steps } = chooseLeadDestinations(setup, lead.facts, cursor, {
      day,
      earlier: lead.earlier,
      returning: await readReturning(db, lead),
      open: await readOpenLeads(db, actor.customerId, setup.rules),
    })
    return {
      at: null,
      steps: [...steps],
      destinations: chosen.map(({ destinationId }) => ({
        destinationId,
        name: setup.destinations.get(destinationId)?.name ?? '',
      })),
    }
  },

  async explain({ db, input }) {
    const { rows } = await sql<LeadRoute>`
      select r.steps, r.destinations, ${instant(sql`r.at`)} as at from lead_routes r where r.lead_id = ${input.id}`.execute(
      db,
    )
    const [route] = rows
    if (route === undefined) throw notFound('Route')
    return LeadRoute.parse(route)
  },

  settings: ({ db, actor }) => readRoutingSettings(db, actor),
}

/** Adds a rule before the catch-all rule. @throws Failure 400 with the invalid fields, 409 if the name is in use. */
export async function addLeadRule(
  db: Database,
  customerId: string,
  input: LeadRoutingRuleInput,
): Promise<LeadRoutingRule> {
  const rule = toRule(input, null)
  await validateRule(db, rule)
  const { rows } = await sql<{ count: number; last: number }>`
    select count(*)::int as count, coalesce(max(position), 0) as last from lead_routing_rules
    where customer_id = ${customerId} and not is_catch_all`.execute(db)
  const { count, last } = rows[0] ?? { count: 0, last: 0 }
  if (count >= MAX_RULES) throw conflict(`There can be at most ${MAX_RULES} rules.`)
  const { id } = await explainRefusal(
    db
      .insertInto('leadRoutingRules')
      .values({ ...leadRuleColumns.write(input), position: last + 1 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return readRule(db, id)
}

/** A rule that isn't saved: the fields of the current one that were not sent stay. */
function toRule(input: LeadRoutingRuleInput, current: LeadRoutingRule | null): LeadRoutingRule {
  const blank = Object.fromEntries(
    Object.entries(leadRoutingRuleRecord.fields).map(([name, field]) => [name, field.blank]),
  )
  const saved = current ?? {
    id: 'new',
    number: MAX_RULES,
    isCatchAll: false,
    version: 1,
    updatedAt: clock.date().toISOString(),
    updatedBy: null,
  }
  return leadRoutingRuleRecord.schema.parse({ ...blank, ...saved, ...definedIn(input) })
}

const definedIn = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** @throws Failure 400 with the invalid fields; destinations, lots and forms have to exist. */
async function validateRule(db: Database, rule: LeadRoutingRule, { isTrial = false } = {}): Promise<void> {
  const errors = leadRuleErrors(rule)
  const ids = rule.targets.map(({ destinationId }) => destinationId)
  const find = isTrial ? findRecords : holdRecords
  const destinations = await find(db, 'lead_destinations', ids)
  const lots = await find(db, 'lots', rule.lotIds)
  const stores = await find(db, 'lots', rule.storeId === null ? [] : [rule.storeId])
  const forms = await find(db, 'forms', rule.formIds)
  if (destinations.size < new Set(ids).size) errors['targets'] ??= 'Choose destinations that exist.'
  if (rule.storeId !== null && stores.size === 0) errors['storeId'] ??= 'Choose a store that exists.'
  if (rule.lotIds.length > 0 && lots.size === 0) errors['lotIds'] ??= 'Choose lots that exist.'
  if (rule.formIds.length > 0 && forms.size === 0) errors['formIds'] ??= 'Choose forms that exist.'
  if (Object.keys(errors).length > 0) throw refused('Some fields are invalid.', errors)
}

/** @throws Failure 404 */
async function readRule(db: Database, id: string): Promise<LeadRoutingRule> {
  const { rows } = await sql<LeadRoutingRule>`
    select ${leadRuleColumns.select} from lead_routing_rules where id = ${id}`.execute(db)
  const [rule] = rows
  if (rule === undefined) throw notFound('Rule')
  return leadRoutingRuleRecord.schema.parse(rule)
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another rule already has this name.', { name: 'This name is already in use.' })
    }
    throw error
  }
}
