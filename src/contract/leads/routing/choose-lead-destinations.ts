import { factsAt, type LeadFacts, type StoreHours } from './lead-facts.ts'
import { whyNot, type RuleConditions } from './match-rule.ts'
import {
  type MemberLoad,
  type NextMember,
  nextMember,
  type TeamMember,
  type TeamTurns,
} from './next-member.ts'
import { type DestinationKind, isInbox, type Strategy } from './rule-choices.ts'

/** A destination and its share of a weighted rule. */
export type Target = Readonly<{ destinationId: string; weight: number }>

/** A rule as the engine sees it. */
export type RoutingRule = RuleConditions &
  Readonly<{
    id: string
    name: string
    isActive: boolean
    /** The last rule, without conditions, that every other lead goes to. */
    isCatchAll: boolean
    /** The lot that its leads go to instead of destinations: the rules after it see them there. Null: it sends them. */
    storeId: string | null
    strategy: Strategy
    targets: readonly Target[]
    /** Later rules aren't tried after this one has sent the lead. */
    stopsHere: boolean
    /** A person's later lead about the same vehicle isn't sent again within this time; 0: it is. */
    dedupeMinutes: number
  }>

export type RoutingDestination = Readonly<{
  id: string
  name: string
  kind: DestinationKind
  isActive: boolean
  /** Its deliveries failed for days, so that no more are started. */
  isCircuitOpen: boolean
  /** The most leads per day; null: no limit. */
  dailyCap: number | null
  /** Of a user: who it is. */
  userId?: string | null
  /** Of a user: they get no leads today. */
  isOff: boolean
  /** Of a team: who takes turns. Without members, its leads wait for the first who accepts them. */
  members: readonly TeamMember[]
}>

/** Who is next: it moves in the transaction of each lead. */
export type RoutingCursor = Readonly<{
  /** How many leads were routed. */
  turn: number
  /** By rule and destination: its share so far, less the leads it got. The largest is next. */
  credits: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** By destination: the turn in which it last got a lead. */
  last: Readonly<Record<string, number>>
  /** By destination: the leads it got on `day`. */
  day: string
  counts: Readonly<Record<string, number>>
  /** By team: whose turn it is, and the leads that its members got on `day`. */
  teams: Readonly<Record<string, TeamTurns>>
  given: Readonly<Record<string, Readonly<Record<string, number>>>>
}>

export const NEW_CURSOR: RoutingCursor = {
  turn: 0,
  credits: {},
  last: {},
  day: '',
  counts: {},
  teams: {},
  given: {},
}

/** A store that rules send leads to, with the destinations as its leads see them. */
export type RoutingStore = StoreHours &
  Readonly<{ name: string; destinations: ReadonlyMap<string, RoutingDestination> }>

/** A user who answered the buyer before. */
export type Returning = Readonly<{ userId: string; name: string }>

export type RoutingSetup = Readonly<{
  /** In order, with the catch-all rule last. */
  rules: readonly RoutingRule[]
  destinations: ReadonlyMap<string, RoutingDestination>
  /** The stores that rules name, by the ID of their lot. */
  stores?: ReadonlyMap<string, RoutingStore>
}>

export type RoutingContext = Readonly<{
  /** The day by which daily caps count. */
  day: string
  /** An earlier lead of the same person about the same vehicle; null if there is none. */
  earlier: Readonly<{ leadId: string; minutesAgo: number }> | null
  /** Open leads by destination, for rules that choose by them. */
  open: Readonly<Record<string, number>>
  /** Open leads by user, for members of teams with a cap of open leads. */
  openOf?: MemberLoad['open']
  /** A user of the store who answered the buyer before, and can work on the lead now. They get it before a strategy chooses. */
  returning?: Returning | null
}>

/** What became of the lead at one rule, as users read it. */
export type RoutingStep = Readonly<{
  ruleId: string
  name: string
  /** Its position in the list, from 1. */
  number: number
  outcome: 'sent' | 'duplicate' | 'unavailable' | 'store' | 'no match' | 'paused' | 'not reached'
  /** "the source is AutoTrader"; "Round-robin of 3: Luis Ortega was next". */
  why: string
}>

export type ChosenDestination = Readonly<{
  ruleId: string
  destinationId: string
  /** Where the lead goes if this delivery fails, in this order. */
  next: readonly string[]
  /** The members of a team who get it: the first one, and who follows if they don't accept it. */
  members: readonly TeamMember[]
  /** The user who answered the buyer before and gets the lead instead. */
  returnsTo: Returning | null
}>

export type RoutingResult = Readonly<{
  chosen: readonly ChosenDestination[]
  steps: readonly RoutingStep[]
  /** The earlier lead because of which this one isn't sent; null if it is sent. */
  duplicateOf: string | null
  /** The lot to which a rule sent the lead; null if none did. */
  storeId: string | null
  cursor: RoutingCursor
}>

/**
 * Routes one lead: which destinations get it, and why. Pure and deterministic. Rules are tried in order; one that matches
 * sends the lead by its strategy, and stops unless it says otherwise. A rule none of whose destinations is available sends
 * nothing, and the next rule is tried. The catch-all rule is tried only if no other rule has sent the lead. If that has no
 * available destination either, the lead waits unassigned in the inbox: no lead is dropped.
 *
 * A destination gets a lead at most once, whatever number of rules choose it. One rule at most sends it to another store, before it was
 * sent anywhere; the rules after that one see it there.
 */
export function chooseLeadDestinations(
  { rules, destinations: own, stores = new Map() }: RoutingSetup,
  leadFacts: LeadFacts,
  cursor: RoutingCursor,
  { day, earlier, open, openOf = {}, returning: person = null }: RoutingContext,
): RoutingResult {
  let [facts, destinations, returning] = [leadFacts, own, person]
  let storeId: string | null = null
  let state = { ...atDay(cursor, day), turn: cursor.turn + 1 }
  const chosen: ChosenDestination[] = []
  const steps: RoutingStep[] = []
  let duplicateOf: string | null = null
  let over: string | null = null
  for (const [at, rule] of rules.entries()) {
    const note = (outcome: RoutingStep['outcome'], why: string): void =>
      void steps.push({ ruleId: rule.id, name: rule.name, number: at + 1, outcome, why })
    if (over !== null || (rule.isCatchAll && chosen.length > 0)) {
      note('not reached', over ?? SENT_BEFORE)
      continue
    }
    if (!rule.isActive && !rule.isCatchAll) {
      note('paused', 'the rule is paused')
      continue
    }
    const mismatch = rule.isCatchAll ? null : whyNot(rule, facts)
    if (mismatch !== null) {
      note('no match', mismatch)
      continue
    }
    if (rule.storeId !== null) {
      const store = stores.get(rule.storeId)
      const kept = whyItStays(facts, { earlier, isSent: chosen.length > 0, isChosen: storeId !== null })
      if (kept !== null) note('no match', kept)
      else if (store === undefined) note('unavailable', 'its store was deleted')
      else {
        storeId = rule.storeId
        note('store', `${facts.lotId === storeId ? 'It is at' : 'It goes to'} ${store.name}`)
        if (facts.lotId !== storeId) {
          facts = factsAt(facts, storeId, store)
          ;[destinations, returning] = [store.destinations, null]
        }
      }
      continue
    }
    if (earlier !== null && rule.dedupeMinutes > 0 && earlier.minutesAgo < rule.dedupeMinutes) {
      note('duplicate', `the same person asked ${timeAgo(earlier.minutesAgo)} ago`)
      duplicateOf = earlier.leadId
      over = 'it was sent before'
      continue
    }
    const picked = pickTargets(rule, destinations, { cursor: state, open, openByUser: openOf, returning })
    if (picked.ids.length === 0) {
      note('unavailable', picked.why)
      continue
    }
    state = picked.cursor
    const notes: string[] = []
    for (const destinationId of picked.ids) {
      if (chosen.some((one) => one.destinationId === destinationId)) continue
      const { returnsTo } = picked
      const given = giveToMember(state, destinations.get(destinationId), { openOf, returning })
      if (given.why !== null && returnsTo === null) notes.push(given.why)
      chosen.push({ ruleId: rule.id, destinationId, next: picked.next, members: given.members, returnsTo })
      // Who gets back their own buyer has not had a turn.
      if (returnsTo === null) state = countLead(given.cursor, destinationId)
    }
    note('sent', [picked.why, ...notes].join('. '))
    if (rule.stopsHere) over = SENT_BEFORE
  }
  return { chosen, steps, duplicateOf: chosen.length === 0 ? duplicateOf : null, storeId, cursor: state }
}

/** Why a rule doesn't send a lead to another store; null if it does. */
function whyItStays(
  { isStoreFixed }: LeadFacts,
  of: { earlier: RoutingContext['earlier']; isSent: boolean; isChosen: boolean },
): string | null {
  if (of.earlier !== null) return 'it belongs to an earlier lead of the buyer'
  if (isStoreFixed) return 'its store was chosen before'
  if (of.isChosen) return 'an earlier rule chose its store'
  return of.isSent ? 'an earlier rule has sent the lead' : null
}

const SENT_BEFORE = 'an earlier rule has sent the lead'

/** Counts of a day begin again with the next one. */
export const atDay = (cursor: RoutingCursor, day: string): RoutingCursor =>
  cursor.day === day ? cursor : { ...cursor, day, counts: {}, given: {} }

/** The member of a team who gets the lead. A destination that isn't a team, or has no members, gives it to no one. */
function giveToMember(
  cursor: RoutingCursor,
  destination: RoutingDestination | undefined,
  { openOf, returning }: { openOf: MemberLoad['open']; returning: Returning | null },
): { cursor: RoutingCursor; members: readonly TeamMember[]; why: string | null } {
  if (destination === undefined || destination.kind !== 'team' || destination.members.length === 0)
    return { cursor, members: [], why: null }
  const { id, name } = destination
  if (returning !== null) return { cursor, members: [], why: `${name}: ${answeredBefore(returning)}` }
  const next = nextOfTeam(cursor, destination, openOf)
  const why = `${name}: ${next.why}`
  if (next.member === null) return { cursor, members: [], why }
  return { members: [next.member, ...next.others], why, cursor: afterTurn(cursor, id, next) }
}

/** Whose turn it is in a team. */
export function nextOfTeam(
  cursor: RoutingCursor,
  { id, members }: Pick<RoutingDestination, 'id' | 'members'>,
  open: MemberLoad['open'],
): NextMember {
  const load = { open, today: cursor.given[id] ?? {} }
  return nextMember(members, { turns: cursor.teams[id], turn: cursor.turn, load })
}

/** The cursor after a member of a team got a lead. */
export function afterTurn(
  cursor: RoutingCursor,
  teamId: string,
  { member, turns }: NextMember,
): RoutingCursor {
  if (member === null) return cursor
  const given = cursor.given[teamId] ?? {}
  return {
    ...cursor,
    teams: { ...cursor.teams, [teamId]: turns },
    given: {
      ...cursor.given,
      [teamId]: { ...given, [member.userId]: (given[member.userId] ?? 0) + 1 },
    },
  }
}

function countLead(cursor: RoutingCursor, id: string): RoutingCursor {
  return {
    ...cursor,
    last: { ...cursor.last, [id]: cursor.turn },
    counts: { ...cursor.counts, [id]: (cursor.counts[id] ?? 0) + 1 },
  }
}

/** Why a destination can't get a lead now; null if it can. */
function whyUnavailable(
  destination: RoutingDestination | undefined,
  cursor: RoutingCursor,
  openOf: MemberLoad['open'],
): string | null {
  if (destination === undefined) return 'a destination was deleted'
  const { id, name, isActive, isCircuitOpen, dailyCap, isOff } = destination
  if (!isActive) return `${name} is paused`
  if (isOff) return `${name} is off`
  if (isCircuitOpen) return `${name} was stopped after five days of failures`
  if (dailyCap !== null && (cursor.counts[id] ?? 0) >= dailyCap)
    return `${name} has its ${dailyCap} leads of the day`
  const { isFull, why } = nextOfTeam(cursor, destination, openOf)
  return isFull ? `${name}: ${why}` : null
}

type Picked = Readonly<{
  ids: readonly string[]
  next: readonly string[]
  why: string
  returnsTo: Returning | null
  cursor: RoutingCursor
}>

const answeredBefore = ({ name }: Returning): string => `${name} answered this buyer before`

/** The destinations that a rule's strategy chooses, and the moved cursor. */
function pickTargets(
  rule: RoutingRule,
  destinations: RoutingSetup['destinations'],
  {
    cursor,
    open,
    openByUser,
    returning,
  }: {
    cursor: RoutingCursor
    open: RoutingContext['open']
    openByUser: MemberLoad['open']
    returning: Returning | null
  },
): Picked {
  const missing: string[] = []
  const available = rule.targets.filter(({ destinationId }) => {
    const why = whyUnavailable(destinations.get(destinationId), cursor, openByUser)
    if (why !== null) missing.push(why)
    return why === null
  })
  const [first] = available
  const but = missing.length === 0 ? '' : ` (${missing.join(', ')})`
  if (first === undefined) {
    const why = missing.length === 0 ? 'it has no destination' : missing.join(', ')
    return { ids: [], next: [], why, returnsTo: null, cursor }
  }
  const isInside = available.every(({ destinationId: id }) => isInbox(destinations.get(id)?.kind ?? 'email'))
  if (returning !== null && isInside) {
    const theirs = available.find(
      ({ destinationId: id }) => destinations.get(id)?.userId === returning.userId,
    )
    const why = answeredBefore(returning)
    return { ids: [(theirs ?? first).destinationId], next: [], why, returnsTo: returning, cursor }
  }
  const nameOf = (id: string): string => destinations.get(id)?.name ?? ''
  const one = ({ destinationId }: Target, how: string, after = cursor): Picked => ({
    ids: [destinationId],
    next: [],
    why: `${how}${but}`,
    returnsTo: null,
    cursor: after,
  })
  switch (rule.strategy) {
    case 'all': {
      const ids = available.map(({ destinationId }) => destinationId)
      return { ids, next: [], why: `Sent to ${ids.map(nameOf).join(' and ')}${but}`, returnsTo: null, cursor }
    }
    case 'failover': {
      const next = available.slice(1).map(({ destinationId }) => destinationId)
      return {
        ...one(first, `Failover of ${rule.targets.length}: ${nameOf(first.destinationId)} is first`),
        next,
      }
    }
    case 'least-recent': {
      const target = leastRecent(available, cursor.last) ?? first
      const how = `Least recent of ${available.length}: ${nameOf(target.destinationId)} waited longest`
      return one(target, how)
    }
    case 'least-open': {
      const openOf = ({ destinationId }: Target): number => open[destinationId] ?? 0
      const fewest = Math.min(...available.map(openOf))
      const equals = available.filter((target) => openOf(target) === fewest)
      const target = leastRecent(equals, cursor.last) ?? first
      const has = `${fewest} open ${fewest === 1 ? 'lead' : 'leads'}`
      return one(
        target,
        `Fewest open leads of ${available.length}: ${nameOf(target.destinationId)} has ${has}`,
      )
    }
    default: {
      const isWeighted = rule.strategy === 'weighted'
      const shares = available.map(({ destinationId, weight }) => ({
        destinationId,
        weight: isWeighted ? weight : 1,
      }))
      const { target, credits } = nextInTurn(shares, cursor.credits[rule.id] ?? {})
      const kind = isWeighted
        ? `Weighted ${available.map(({ weight }) => weight).join(':')}`
        : `Round-robin of ${available.length}`
      const how = `${kind}: ${nameOf(target)} was next`
      const after = { ...cursor, credits: { ...cursor.credits, [rule.id]: credits } }
      return one({ destinationId: target, weight: 1 }, how, after)
    }
  }
}

function leastRecent(targets: readonly Target[], last: RoutingCursor['last']): Target | undefined {
  const turnOf = ({ destinationId }: Target): number => last[destinationId] ?? 0
  return targets.toSorted((one, other) => turnOf(one) - turnOf(other))[0]
}

/**
 * Smooth weighted round-robin, as in nginx: each gets credit by its weight, and the one with the most credit is next and
 * pays the sum of all weights. In each cycle, as many leads as the sum of the weights, every destination gets exactly its
 * weight, spread evenly. A destination that isn't available gets no credit meanwhile.
 */
function nextInTurn(
  shares: readonly Target[],
  before: Readonly<Record<string, number>>,
): { target: string; credits: Record<string, number> } {
  const credits: Record<string, number> = { ...before }
  let [target] = shares.map(({ destinationId }) => destinationId)
  let total = 0
  for (const { destinationId, weight } of shares) {
    credits[destinationId] = (credits[destinationId] ?? 0) + weight
    total += weight
    if ((credits[destinationId] ?? 0) > (credits[target ?? ''] ?? 0)) target = destinationId
  }
  if (target !== undefined) credits[target] = (credits[target] ?? 0) - total
  return { target: target ?? '', credits }
}

function timeAgo(minutes: number): string {
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

/** The parts of a cursor that its rules and destinations still use: deleted ones are forgotten. */
export function pruneCursor(cursor: RoutingCursor, { rules, destinations }: RoutingSetup): RoutingCursor {
  const kept = (counts: Readonly<Record<string, number>>, has: (id: string) => boolean) =>
    Object.fromEntries(Object.entries(counts).filter(([id]) => has(id)))
  const teamsOnly = <T>(by: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(by).filter(([id]) => destinations.get(id)?.kind === 'team'))
  const credits = rules.flatMap(({ id, targets }) => {
    const of = cursor.credits[id]
    if (of === undefined) return []
    return [[id, kept(of, (one) => targets.some(({ destinationId }) => destinationId === one))] as const]
  })
  return {
    ...cursor,
    credits: Object.fromEntries(credits),
    last: kept(cursor.last, (id) => destinations.has(id)),
    counts: kept(cursor.counts, (id) => destinations.has(id)),
    teams: teamsOnly(cursor.teams),
    given: teamsOnly(cursor.given),
  }
}
