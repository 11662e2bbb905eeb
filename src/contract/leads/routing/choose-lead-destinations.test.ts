import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  chooseLeadDestinations,
  NEW_CURSOR,
  pruneCursor,
  type RoutingDestination,
  type RoutingRule,
  type RoutingSetup,
} from './choose-lead-destinations.ts'
import { plainFacts, plainRule } from './plain-rule.ts'

const destination = (id: string, more: Partial<RoutingDestination> = {}): RoutingDestination => ({
  id,
  name: `D${id}`,
  kind: 'webhook',
  isActive: true,
  isCircuitOpen: false,
  dailyCap: null,
  isOff: false,
  members: [],
  ...more,
})
const setupOf = (rules: RoutingRule[], ...destinations: RoutingDestination[]): RoutingSetup => ({
  rules,
  destinations: new Map(destinations.map((one) => [one.id, one])),
})
const targets = (...weights: number[]) =>
  weights.map((weight, at) => ({ destinationId: String(at + 1), weight }))
const TODAY = { day: '2026-11-18', earlier: null, open: {} }

/** Routes as many leads, each like the others, and returns the destination of each. */
function routeMany(setup: RoutingSetup, count: number): string[] {
  let cursor = NEW_CURSOR
  return Array.from({ length: count }, () => {
    const result = chooseLeadDestinations(setup, plainFacts(), cursor, TODAY)
    ;({ cursor } = result)
    return result.chosen.map(({ destinationId }) => destinationId).join('+')
  })
}
const catchAll = plainRule({ id: '9', isCatchAll: true, strategy: 'all', targets: targets(1) })

test('weights of 1:2:3 give each cycle of six leads one, two and three, spread evenly', () => {
  const rule = plainRule({ strategy: 'weighted', targets: targets(1, 2, 3) })
  const sent = routeMany(setupOf([rule], destination('1'), destination('2'), destination('3')), 600)
  for (let cycle = 0; cycle < 100; cycle += 1) {
    const six = sent.slice(cycle * 6, cycle * 6 + 6)
    expect(['1', '2', '3'].map((id) => six.filter((one) => one === id).length)).toEqual([1, 2, 3])
  }
  expect(sent.slice(0, 6)).toEqual(['3', '2', '1', '3', '2', '3'])
})

test('round-robin takes turns, and a paused destination loses its turn without a debt to the others', () => {
  const rule = plainRule({ strategy: 'round-robin', targets: targets(1, 1, 1) })
  const all = [destination('1'), destination('2'), destination('3')]
  expect(routeMany(setupOf([rule], ...all), 5)).toEqual(['1', '2', '3', '1', '2'])
  const without = setupOf([rule], destination('1'), destination('2', { isActive: false }), destination('3'))
  expect(routeMany(without, 4)).toEqual(['1', '3', '1', '3'])
})

test('members of a team take turns; one who is off is skipped, and so is a user', () => {
  const member = (userId: string, isOff = false) => ({
    userId,
    name: `User ${userId}`,
    isOff,
    weight: 1,
    openCap: null,
    dailyCap: null,
  })
  const rule = plainRule({ strategy: 'failover', targets: targets(1, 1) })
  const off = destination('1', { kind: 'user', isOff: true })
  const team = destination('2', { kind: 'team', members: [member('5'), member('6', true), member('7')] })
  let cursor = NEW_CURSOR
  const given = Array.from({ length: 3 }, () => {
    const result = chooseLeadDestinations(setupOf([rule], off, team), plainFacts(), cursor, TODAY)
    ;({ cursor } = result)
    return result
  })
  expect(given.map(({ chosen }) => chosen[0]?.members.map(({ userId }) => userId))).toEqual([
    ['5', '7'],
    ['7', '5'],
    ['5', '7'],
  ])
  expect(given[0]?.steps[0]?.why).toBe(
    'Failover of 2: D2 is first (D1 is off). D2: User 5 is next of 2 (User 6 is off)',
  )
  const none = destination('2', { kind: 'team', members: [member('6', true)] })
  const [waits] = chooseLeadDestinations(setupOf([rule], off, none), plainFacts(), cursor, TODAY).chosen
  expect(waits).toMatchObject({ destinationId: '2', members: [] })
})

test('the user with the fewest open leads is next; among equals, the one that waited longest', () => {
  const rule = plainRule({ strategy: 'least-open', targets: targets(1, 1, 1) })
  const setup = setupOf([rule], destination('1'), destination('2'), destination('3'))
  const open = { 1: 4, 2: 1, 3: 1 }
  const first = chooseLeadDestinations(setup, plainFacts(), NEW_CURSOR, { ...TODAY, open })
  expect(first.chosen[0]?.destinationId).toBe('2')
  const second = chooseLeadDestinations(setup, plainFacts(), first.cursor, { ...TODAY, open })
  expect(second.chosen[0]?.destinationId).toBe('3')
  expect(second.steps[0]?.why).toMatch(/^Fewest open leads of 3: .+ has 1 open lead$/)
})

test('a destination gets no more leads than its daily cap, and gets them again the next day', () => {
  const rule = plainRule({ strategy: 'failover', targets: targets(1, 1) })
  const setup = setupOf([rule, catchAll], destination('1', { dailyCap: 2 }), destination('2'))
  expect(routeMany(setup, 4)).toEqual(['1', '1', '2', '2'])
  const cursor = { ...NEW_CURSOR, day: '2026-11-17', counts: { 1: 2 } }
  expect(chooseLeadDestinations(setup, plainFacts(), cursor, TODAY).chosen[0]?.destinationId).toBe('1')
})

test('explains each rule: why it did not match, what its strategy did, and that later ones were not reached', () => {
  const rules = [
    plainRule({ id: '1', name: 'New', leadTypes: ['new'], targets: targets(1) }),
    plainRule({ id: '2', name: 'Off', isActive: false, targets: targets(1) }),
    plainRule({
      id: '3',
      name: 'Used',
      leadTypes: ['used'],
      strategy: 'round-robin',
      targets: targets(1, 1),
    }),
    catchAll,
  ]
  const setup = setupOf(rules, destination('1', { dailyCap: 0 }), destination('2', { name: 'Eleads' }))
  const { steps } = chooseLeadDestinations(setup, plainFacts({ leadType: 'used' }), NEW_CURSOR, TODAY)
  expect(steps.map(({ outcome, why }) => [outcome, why])).toEqual([
    ['no match', 'the lead type is Used vehicle'],
    ['paused', 'the rule is paused'],
    ['sent', 'Round-robin of 1: Eleads was next (D1 has its 0 leads of the day)'],
    ['not reached', 'an earlier rule has sent the lead'],
  ])
})

test('the same person about the same vehicle is not sent again within the window of the rule', () => {
  const rule = plainRule({ dedupeMinutes: 60, targets: targets(1) })
  const setup = setupOf([rule, catchAll], destination('1'))
  const route = (minutesAgo: number) =>
    chooseLeadDestinations(setup, plainFacts(), NEW_CURSOR, {
      day: TODAY.day,
      earlier: { leadId: '77', minutesAgo },
      open: {},
    })
  expect(route(59)).toMatchObject({ chosen: [], duplicateOf: '77' })
  expect(route(60)).toMatchObject({ chosen: [{ destinationId: '1' }], duplicateOf: null })
})

test('a cursor forgets deleted rules and destinations', () => {
  const rule = plainRule({ strategy: 'weighted', targets: targets(1, 2) })
  const { cursor } = chooseLeadDestinations(
    setupOf([rule], destination('1'), destination('2')),
    plainFacts(),
    NEW_CURSOR,
    TODAY,
  )
  const left = setupOf([{ ...rule, targets: targets(1) }], destination('1'))
  expect(pruneCursor(cursor, left).credits).toEqual({ 1: { 1: 1 } })
  expect(pruneCursor(cursor, setupOf([])).credits).toEqual({})
})

// A second implementation without a cursor: it reads everything from the list of leads routed before. Where the product moves
// credits, it sums shares and compares them with what each destination got.

type Past = { chosen: readonly { ruleId: string; destinationId: string }[]; open: ReadonlyMap<string, Open> }
/** The destinations that were available to a rule when it was tried, with their weights. */
type Open = { ids: readonly string[]; weights: readonly number[] }
type Lead = { type: string; closed: readonly string[] }

function oracle(
  rules: readonly RoutingRule[],
  caps: ReadonlyMap<string, number>,
  past: readonly Past[],
  lead: Lead,
): Past {
  const chosen: { ruleId: string; destinationId: string }[] = []
  const open = new Map<string, Open>()
  const got = (id: string) =>
    [...past, { chosen }].filter((one) => one.chosen.some(({ destinationId }) => destinationId === id)).length
  const tried = rules.filter(
    (rule) =>
      rule.isCatchAll ||
      (rule.isActive && (rule.leadTypes.length === 0 || rule.leadTypes.includes(lead.type))),
  )
  for (const rule of tried) {
    if (rule.isCatchAll && chosen.length > 0) break
    const free = rule.targets.filter(
      ({ destinationId: id }) => !lead.closed.includes(id) && got(id) < (caps.get(id) ?? Infinity),
    )
    if (free.length === 0) continue
    const ids = free.map(({ destinationId }) => destinationId)
    const weights = free.map(({ weight }) => (rule.strategy === 'weighted' ? weight : 1))
    open.set(rule.id, { ids, weights })
    for (const id of pick(rule, ids, [...past, { chosen, open }])) {
      if (!chosen.some(({ destinationId }) => destinationId === id))
        chosen.push({ ruleId: rule.id, destinationId: id })
    }
    picked.set(open, new Map([...(picked.get(open) ?? []), [rule.id, lastPick]]))
    if (rule.stopsHere) break
  }
  return { chosen, open }
}

/** Which destination a rule picked in a lead, even if an earlier rule had already sent it there. */
const picked = new WeakMap<ReadonlyMap<string, Open>, Map<string, string>>()
let lastPick = ''

function pick(rule: RoutingRule, ids: readonly string[], all: readonly Past[]): readonly string[] {
  if (rule.strategy === 'all') return ids
  const [first = ''] = ids
  if (rule.strategy === 'failover') return [first]
  // All have the same number of open leads.
  if (rule.strategy === 'least-recent' || rule.strategy === 'least-open') {
    const lastOf = (id: string) =>
      all.findLastIndex(({ chosen }) => chosen.some((one) => one.destinationId === id))
    return [[...ids].toSorted((one, other) => lastOf(one) - lastOf(other))[0] ?? '']
  }
  const due = (id: string): number => {
    let sum = 0
    for (const { open } of all) {
      const share = open.get(rule.id)
      if (share === undefined) continue
      const at = share.ids.indexOf(id)
      if (at >= 0) sum += share.weights[at] ?? 0
      if (picked.get(open)?.get(rule.id) === id) sum -= share.weights.reduce((one, other) => one + other, 0)
    }
    return sum
  }
  const most = Math.max(...ids.map(due))
  lastPick = ids.find((id) => due(id) === most) ?? ''
  return [lastPick]
}

const anyRule = fc.record({
  isActive: fc.boolean(),
  leadTypes: fc.subarray(['new', 'used']),
  strategy: fc.constantFrom('all', 'round-robin', 'weighted', 'least-recent', 'least-open', 'failover'),
  stopsHere: fc.boolean(),
  order: fc.shuffledSubarray(['1', '2', '3', '4'], { minLength: 1 }),
  weights: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 4, maxLength: 4 }),
})
const anyLead = fc.record({ type: fc.constantFrom('new', 'used'), closed: fc.subarray(['1', '2', '3', '4']) })

test('agrees with a second implementation that has no cursor, lead by lead', () => {
  fc.assert(
    fc.property(
      fc.array(anyRule, { maxLength: 4 }),
      fc.array(anyLead, { minLength: 1, maxLength: 25 }),
      fc.option(fc.integer({ min: 0, max: 6 })),
      (drawn, leads, cap) => {
        const rules = drawn.map(({ order, weights, ...rule }, at) =>
          plainRule({
            ...rule,
            id: String(at + 1),
            targets: order.map((destinationId, n) => ({ destinationId, weight: weights[n] ?? 1 })),
          }),
        )
        const all = [...rules, plainRule({ id: '9', isCatchAll: true, targets: targets(1) })]
        const caps = new Map(cap === null ? [] : [['2', cap]])
        const past: Past[] = []
        let cursor = NEW_CURSOR
        for (const lead of leads) {
          const setup = setupOf(
            all,
            ...['1', '2', '3', '4'].map((id) =>
              destination(id, { isActive: !lead.closed.includes(id), dailyCap: caps.get(id) ?? null }),
            ),
          )
          const result = chooseLeadDestinations(setup, plainFacts({ leadType: lead.type }), cursor, TODAY)
          ;({ cursor } = result)
          const expected = oracle(all, caps, past, lead)
          past.push(expected)
          expect(result.chosen.map(({ ruleId, destinationId }) => ({ ruleId, destinationId }))).toEqual(
            expected.chosen,
          )
        }
      },
    ),
    { numRuns: 300 },
  )
})
