import type { RoutingStep } from './choose-lead-destinations.ts'

/**
 * Why a lead went where it went, in one line: "Rule “Ford used”. Round-robin of 3: Luis Ortega was next. Rules “New” and
 * “Trade-ins” didn't match (the lead type is New vehicle; there is no trade-in)." Rules have no numbers here, because they can be
 * reordered later.
 */
export function describeRoute(steps: readonly RoutingStep[]): string {
  const sent = steps.filter(({ outcome }) => outcome === 'sent')
  const placed = steps.filter(({ outcome }) => outcome === 'store')
  const parts = [...placed, ...sent].map(({ name, why }) => `Rule “${name}”. ${why}.`)
  for (const { name, why } of steps.filter(({ outcome }) => outcome === 'duplicate')) {
    parts.push(`Rule “${name}”: not sent again, because ${why}.`)
  }
  if (parts.length === placed.length)
    parts.push('No destination was available. The lead waits unassigned in the inbox.')
  const unavailable = steps.filter(({ outcome }) => outcome === 'unavailable')
  for (const { name, why } of unavailable) parts.push(`Rule “${name}” matched, but ${why}.`)
  const missed = steps.filter(({ outcome }) => outcome === 'no match')
  if (missed.length > 0) {
    const names = missed.map(({ name }) => `“${name}”`)
    const named = `${names.length === 1 ? 'Rule' : 'Rules'} ${joined(names)}`
    parts.push(`${named} didn't match (${[...new Set(missed.map(({ why }) => why))].join('; ')}).`)
  }
  return parts.join(' ')
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
