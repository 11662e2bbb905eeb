import type { RoutingStep } from './choose-lead-destinations.ts'

/**
 * Why a lead went where it went, in one line: "Rule 3, Ford used. Round-robin of 3: Luis Ortega was next. Rules 1 and 2 didn't
 * match (the lead type is New vehicle; there is no trade-in)."
 */
export function describeRoute(steps: readonly RoutingStep[]): string {
  const sent = steps.filter(({ outcome }) => outcome === 'sent')
  const parts = sent.map(({ number, name, why }) => `Rule ${number}, ${name}. ${why}.`)
  for (const { number, name, why } of steps.filter(({ outcome }) => outcome === 'duplicate')) {
    parts.push(`Rule ${number}, ${name}: not sent again, because ${why}.`)
  }
  if (parts.length === 0) parts.push('No destination was available. The lead waits unassigned in the inbox.')
  const unavailable = steps.filter(({ outcome }) => outcome === 'unavailable')
  for (const { number, why } of unavailable) parts.push(`Rule ${number} matched, but ${why}.`)
  const missed = steps.filter(({ outcome }) => outcome === 'no match')
  if (missed.length > 0) {
    const numbers = missed.map(({ number }) => String(number))
    const named = `${numbers.length === 1 ? 'Rule' : 'Rules'} ${joined(numbers)}`
    parts.push(`${named} didn't match (${[...new Set(missed.map(({ why }) => why))].join('; ')}).`)
  }
  return parts.join(' ')
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
