import { sql } from 'kysely'
import {
  chooseLeadDestinations,
  NEW_CURSOR,
  type RoutingResult,
} from '#contract/leads/routing/choose-lead-destinations.ts'
import type { LeadRoutingRule, LeadRoutingSimulation } from '#contract/leads/routing/lead-routing-rules.ts'
import { warnOfRules } from '#contract/leads/routing/rule-warnings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readRoutedLeads, type RoutedLead } from './read-facts.ts'
import { readSetup, readStores, setupFor, type StoredSetup } from './rule-rows.ts'

/** The most leads that a simulation names. */
const MAX_EXAMPLES = 10

/** A change of the rules that is not saved. */
type RuleChange = Readonly<{
  /** Takes the place of the rule with its ID; a new one is added before the catch-all rule. */
  draft: LeadRoutingRule | null
  /** The IDs of the rules in their new order. Rules that it doesn't name follow, and the catch-all rule is last. */
  order: readonly string[] | null
}>

/**
 * Routes the latest leads again, oldest first, with the present rules and with changed ones. Both start with new cursors and
 * without open leads, so that only the rules differ.
 */
export async function simulateRouting(
  db: Database,
  customerId: string,
  change: RuleChange,
  count: number,
): Promise<LeadRoutingSimulation> {
  const before = withoutAbsences(await readSetup(db, customerId))
  const { draft, order } = change
  const rules = inOrder(withDraft(before.rules, draft), order)
  const after = { ...before, rules, stores: await readStores(db, customerId, rules) }
  const latest = await readRoutedLeads(
    db,
    sql`l.customer_id = ${customerId} and not l.is_test and l.status <> 'quarantined'`,
    count,
  )
  const leads = latest.toReversed()
  const [former, wanted] = [routeAll(before, leads), routeAll(after, leads)]
  const nameOf = (id: string): string => before.destinations.get(id)?.name ?? ''
  const idsOf = (result: RoutingResult | undefined): string[] =>
    (result?.chosen ?? []).map(({ destinationId }) => destinationId)
  const moved = leads.flatMap((lead, at) => {
    const [from, to] = [idsOf(former[at]), idsOf(wanted[at])]
    if (from.toSorted().join() === to.toSorted().join()) return []
    return [{ lead, before: from.map(nameOf), after: to.map(nameOf) }]
  })
  const counts = (results: readonly RoutingResult[]): Map<string, number> => {
    const all = new Map<string, number>()
    for (const id of results.flatMap(idsOf)) all.set(id, (all.get(id) ?? 0) + 1)
    return all
  }
  const [one, other] = [counts(former), counts(wanted)]
  const destinations = [...before.destinations.keys()]
    .map((id) => ({
      destinationId: id,
      name: nameOf(id),
      before: one.get(id) ?? 0,
      after: other.get(id) ?? 0,
    }))
    .filter((row) => row.before + row.after > 0)
    .toSorted((a, b) => b.after - a.after || a.name.localeCompare(b.name))
  return {
    leads: leads.length,
    since: leads[0]?.receivedAt ?? null,
    matched:
      draft === null
        ? null
        : wanted.filter(({ chosen }) => chosen.some(({ ruleId }) => ruleId === draft.id)).length,
    destinations,
    moved: moved.length,
    examples: moved
      .slice(-MAX_EXAMPLES)
      .toReversed()
      .map(({ lead, ...went }) => ({
        leadId: lead.id,
        name: lead.title,
        receivedAt: lead.receivedAt,
        ...went,
      })),
    warning: warningOf(after, draft),
  }
}

/** Who is off today says nothing about past leads. */
function withoutAbsences(setup: StoredSetup): StoredSetup {
  const present = [...setup.destinations].map(([id, one]) => {
    const members = one.members.map((member) => ({ ...member, isOff: false }))
    return [id, { ...one, isOff: false, members }] as const
  })
  return { ...setup, destinations: new Map(present) }
}

/** What is wrong with the draft, or without one with the first rule that a new order spoils. */
function warningOf({ rules, destinations }: StoredSetup, draft: LeadRoutingRule | null): string | null {
  const warnings = warnOfRules(rules, destinations)
  if (draft !== null) return warnings.get(draft.id)?.text ?? null
  const spoiled = rules.find(({ id }) => warnings.get(id)?.kind === 'unreachable')
  return spoiled === undefined ? null : `${spoiled.name}: ${warnings.get(spoiled.id)?.text ?? ''}`
}

function inOrder(rules: StoredSetup['rules'], order: RuleChange['order']): StoredSetup['rules'] {
  if (order === null) return rules
  const places = new Map(order.map((id, at) => [id, at]))
  const placeOf = ({ id, isCatchAll }: StoredSetup['rules'][number]): number =>
    isCatchAll ? Infinity : (places.get(id) ?? order.length)
  return rules.toSorted((one, other) => (placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other)))
}

function withDraft(rules: StoredSetup['rules'], draft: LeadRoutingRule | null): StoredSetup['rules'] {
  if (draft === null) return rules
  if (rules.some(({ id }) => id === draft.id))
    return rules.map((rule) => (rule.id === draft.id ? draft : rule))
  return [
    ...rules.filter(({ isCatchAll }) => !isCatchAll),
    draft,
    ...rules.filter(({ isCatchAll }) => isCatchAll),
  ]
}

function routeAll(setup: StoredSetup, leads: readonly RoutedLead[]): RoutingResult[] {
  // As they were when they came in: buyers, prices and stores have changed since.
  const seen = leads.map(({ used, facts, organizationId, earlier, day }) => ({
    ...(used ?? { facts, organizationId, earlier, returning: null }),
    day,
  }))
  const organizations = new Set(seen.map(({ organizationId }) => organizationId))
  const setups = new Map([...organizations].map((id) => [id, setupFor(setup, id)]))
  let cursor = NEW_CURSOR
  const open: Record<string, number> = {}
  return seen.map((lead) => {
    const result = chooseLeadDestinations(
      setups.get(lead.organizationId) ?? setupFor(setup, lead.organizationId),
      lead.facts,
      cursor,
      {
        day: lead.day,
        earlier: lead.earlier,
        returning: lead.returning,
        open,
      },
    )
    ;({ cursor } = result)
    for (const { destinationId } of result.chosen) open[destinationId] = (open[destinationId] ?? 0) + 1
    return result
  })
}
