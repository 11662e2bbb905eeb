import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { makeSecondTeam, type TableMember } from '#test/suites/second-router.ts'

let forecourt: TestApp
let ford: TestOrganization
let lotId: string
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  lotId = await ford.addLot()
})
afterAll(() => forecourt.close())

/** Members with these weights and caps, and after their team a rule with one more person. */
async function addTeam(shares: readonly Omit<TableMember, 'userId'>[]) {
  const members: TableMember[] = []
  for (const share of shares) members.push({ userId: await ford.createUser('Dealer user'), ...share })
  const [name, sourceName] = [fresh('Team'), fresh('Source')]
  const memberIds = members.map(({ userId }) => userId)
  const memberShares = members.map(({ ...share }) => share)
  const id = await ford.addLeadDestination({ name, kind: 'team', toEmail: null, memberIds, memberShares })
  await ford.addLeadRule({ sources: [sourceName], targets: [{ destinationId: id }], dedupeMinutes: 0 })
  const rest = await ford.createUser('Dealer user')
  const other = await ford.addLeadDestination({ kind: 'user', toEmail: null, userId: rest })
  await ford.addLeadRule({ sources: [sourceName], targets: [{ destinationId: other }], dedupeMinutes: 0 })
  return { id, name, members, sourceName, rest }
}
const plain = { weight: 1, openCap: null, dailyCap: null }

/** Sends leads one after another, some of which are closed, and compares who gets each with the second count. */
async function compare(count: number) {
  const { members, sourceName, rest } = await addTeam([
    { weight: 3, openCap: null, dailyCap: count - 3 },
    { weight: 1, openCap: 2, dailyCap: null },
    { weight: 2, openCap: 5, dailyCap: null },
  ])
  const second = makeSecondTeam(members)
  const open = members.map(() => 0)
  const [got, expected]: [(string | null)[], (string | null)[]] = [[], []]
  for (let at = 0; at < count; at += 1) {
    expected.push(second(open) ?? rest)
    const { id, ownerId } = await ford.call(leads.get, { id: await ford.addLead({ sourceName, lotId }) })
    got.push(ownerId)
    const whose = members.findIndex(({ userId }) => userId === ownerId)
    if (whose === -1) continue
    if (at % 5 === 4) await ford.call(leads.setOutcome, { id, outcome: 'lost', lostReason: 'Price' })
    else open[whose] = (open[whose] ?? 0) + 1
  }
  expect(got).toEqual(expected)
  return { got, open, rest }
}

test('leads of a team are shared by weight up to the caps of its members, as a second count says', async () => {
  const { got, open } = await compare(14)
  expect(new Set(got).size).toBeGreaterThan(2)
  expect(open[1]).toBeLessThanOrEqual(2)
})

test(
  'leads of a team are shared by weight up to the caps of its members, 150 times',
  { tags: ['release'], timeout: 240_000 },
  async () => {
    const { open } = await compare(150)
    expect(open.slice(1)).toEqual([2, 5])
  },
)

test('when all members are at their caps, the lead goes on to the next rule; leads at once never exceed a cap', async () => {
  const { members, sourceName, rest, name } = await addTeam([
    { ...plain, openCap: 2 },
    { ...plain, dailyCap: 1 },
  ])
  const ids = await Promise.all(Array.from({ length: 6 }, () => ford.addLead({ sourceName, lotId })))
  const owners = await Promise.all(ids.map(async (id) => (await ford.call(leads.get, { id })).ownerId))
  const times = (userId: string | undefined) => owners.filter((owner) => owner === userId).length
  expect([times(members[0]?.userId), times(members[1]?.userId), times(rest)]).toEqual([2, 1, 3])
  const last = await ford.call(leads.get, { id: await ford.addLead({ sourceName, lotId }) })
  expect(last.ownerId).toBe(rest)
  const { steps } = await ford.call(leadRoutingRules.explain, { id: last.id })
  expect(steps.find(({ outcome }) => outcome === 'unavailable')?.why).toMatch(
    new RegExp(
      `^${name}: no one can take more leads \\(.+ has 2 open leads, .+ got the only lead of the day\\)$`,
    ),
  )
  // Who gives a lead back doesn't push another one over their cap.
  const given = ids.find((_, at) => owners[at] === members[1]?.userId) ?? ''
  expect((await ford.call(leads.giveBack, { id: given, text: null })).ownerId).toBeNull()
})

test('weights and caps are for members only, and end with their membership', async () => {
  const { id, members } = await addTeam([plain, { ...plain, weight: 4 }])
  const [first, second] = members.map(({ userId }) => userId)
  const change = (more: object) => ford.call(leadDestinations.update, { id, ...more })
  await expect(change({ memberShares: [{ ...plain, userId: '999999' }] })).toRefuse(400, 'Only members')
  await expect(change({ memberShares: [{ ...plain, weight: 11, userId: first ?? '' }] })).toRefuse(
    400,
    'at most 10',
  )
  const { memberShares } = await change({ memberIds: [first ?? ''] })
  expect(memberShares).toEqual([{ ...plain, userId: first }])
  expect(second).not.toBe(first)
})
