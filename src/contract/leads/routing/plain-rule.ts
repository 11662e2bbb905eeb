import type { RoutingRule } from './choose-lead-destinations.ts'
import type { LeadFacts } from './lead-facts.ts'

/** A rule without conditions, with these changes; for simulations and tests. */
export function plainRule(changes: Partial<RoutingRule> = {}): RoutingRule {
  return {
    id: '1',
    name: 'Rule',
    isActive: true,
    isCatchAll: false,
    storeId: null,
    strategy: 'all',
    targets: [],
    stopsHere: true,
    dedupeMinutes: 0,
    lotIds: [],
    leadTypes: [],
    sources: [],
    makes: [],
    models: [],
    priceFromCents: null,
    priceToCents: null,
    campaigns: [],
    formIds: [],
    postalCodes: [],
    languages: [],
    hours: 'any',
    fromTime: null,
    untilTime: null,
    tradeIn: 'any',
    condition: '',
    ...changes,
  }
}

/** A lead about which nothing is known, with these changes. */
export function plainFacts(changes: Partial<LeadFacts> = {}): LeadFacts {
  return {
    lotId: null,
    isStoreFixed: false,
    leadType: null,
    source: null,
    make: null,
    model: null,
    priceCents: null,
    campaign: null,
    formId: null,
    postalCode: null,
    language: null,
    hasTradeIn: false,
    opening: 'unknown',
    time: '12:00',
    receivedAt: new Date(0),
    zone: 'UTC',
    values: {},
    ...changes,
  }
}
