// Rules and destinations for the tests of lead routing.
import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import type { LeadRoutingRule } from '#contract/leads/routing/lead-routing-rules.ts'
import { plainRule } from '#contract/leads/routing/plain-rule.ts'
import type { RuleNames } from './rules/describe-rule.ts'

const SAVED = { version: 1, updatedAt: '2026-11-18T15:00:00Z', updatedBy: null }

/** A saved rule without conditions, with these changes. */
export function ruleOf(changes: Partial<LeadRoutingRule> = {}): LeadRoutingRule {
  const { lotIds: _lots, ...plain } = plainRule()
  return {
    ...plain,
    lotIds: [],
    leadTypes: [],
    sources: [],
    makes: [],
    models: [],
    campaigns: [],
    formIds: [],
    postalCodes: [],
    languages: [],
    targets: [],
    number: 1,
    ...SAVED,
    ...changes,
  }
}

/** An email destination that works, with these changes. */
export function destinationOf(changes: Partial<LeadDestination> = {}): LeadDestination {
  return {
    id: '11',
    name: 'Ana Souza',
    kind: 'email',
    isActive: true,
    toEmail: 'ana@northgate.example',
    url: null,
    userId: null,
    userName: null,
    memberIds: [],
    memberShares: [],
    members: [],
    dailyCap: null,
    failingSince: null,
    stoppedAt: null,
    stopReason: null,
    delivered: 0,
    waiting: 0,
    failed: 0,
    lastDeliveredAt: null,
    rules: 0,
    ...SAVED,
    ...changes,
  }
}

export const NAMES: RuleNames = {
  currency: 'USD',
  lots: new Map([
    ['1', 'Northgate Ford'],
    ['2', 'Northgate Toyota'],
  ]),
  forms: new Map([['5', 'Ask about a vehicle']]),
  destinations: new Map([
    ['11', 'Ana Souza'],
    ['12', 'Luis Ortega'],
    ['13', 'Eleads'],
  ]),
}
