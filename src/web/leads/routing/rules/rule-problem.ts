import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import type { LeadRoutingRule } from '#contract/leads/routing/lead-routing-rules.ts'
import { warnOfRules } from '#contract/leads/routing/rule-warnings.ts'

/** What the user can do about a problem with one click. */
export type RuleFix = Readonly<
  | { kind: 'move'; beforeId: string; beforeName: string }
  | { kind: 'resume'; destination: LeadDestination }
  | { kind: 'open destination'; destination: LeadDestination }
  | { kind: 'edit' }
>

export type RuleProblem = Readonly<{ tone: 'bad' | 'warn'; text: string; fix: RuleFix | null }>

/**
 * What is wrong with each rule and how to fix it. Uses the same warnings as the server, so that they follow the order on the
 * screen at once.
 */
export function findRuleProblems(
  rules: readonly LeadRoutingRule[],
  destinations: readonly LeadDestination[],
): ReadonlyMap<string, RuleProblem> {
  const known = new Map(destinations.map((one) => [one.id, one]))
  const seen = new Map(
    destinations.map(({ id, name, kind, isActive, stoppedAt, dailyCap }) => [
      id,
      // Who is off is no fault of a rule.
      { id, name, kind, isActive, isCircuitOpen: stoppedAt !== null, dailyCap, isOff: false, members: [] },
    ]),
  )
  const problems = new Map<string, RuleProblem>()
  for (const [id, { kind, text, otherRuleId }] of warnOfRules(rules, seen)) {
    const rule = rules.find((one) => one.id === id)
    if (rule === undefined) continue
    if (kind === 'no destination') {
      problems.set(id, unavailable(rule, known))
      continue
    }
    const other = rules.find((one) => one.id === otherRuleId)
    const move: RuleFix | null = other ? { kind: 'move', beforeId: other.id, beforeName: other.name } : null
    problems.set(id, {
      tone: kind === 'unreachable' ? 'bad' : 'warn',
      text,
      fix: kind === 'unreachable' ? move : null,
    })
  }
  return problems
}

/** A rule none of whose destinations can get a lead: there is none, all are paused, or all failed for days. */
function unavailable(
  { targets, isCatchAll }: LeadRoutingRule,
  known: ReadonlyMap<string, LeadDestination>,
): RuleProblem {
  const then = isCatchAll ? 'Leads wait unassigned in the inbox.' : 'The next rule gets its leads.'
  const found = targets.flatMap(({ destinationId }) => known.get(destinationId) ?? [])
  const [first] = found
  const tone = isCatchAll ? 'bad' : 'warn'
  if (first === undefined) return { tone, text: `No destination. ${then}`, fix: { kind: 'edit' } }
  const paused = found.find(({ isActive }) => !isActive)
  const stopped = found.find(({ isActive, stoppedAt }) => isActive && stoppedAt !== null)
  if (paused === undefined) {
    return {
      tone,
      text: `${found.length === 1 ? `${first.name} is` : 'All destinations are'} stopped after failures. ${then}`,
      fix: { kind: 'open destination', destination: first },
    }
  }
  const text =
    stopped === undefined
      ? `${found.length === 1 ? `${first.name} is` : 'All destinations are'} paused. ${then}`
      : `All destinations are paused or stopped. ${then}`
  return { tone, text, fix: { kind: 'resume', destination: paused } }
}
