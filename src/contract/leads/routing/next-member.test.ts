import { expect, test } from 'vitest'
import { nextMember, type TeamMember, type TeamTurns } from './next-member.ts'

const member = (userId: string, isOff = false, more: Partial<TeamMember> = {}): TeamMember => ({
  userId,
  name: `User ${userId}`,
  isOff,
  weight: 1,
  openCap: null,
  dailyCap: null,
  ...more,
})
const NO_LOAD = { open: {}, today: {} }

/** Gives leads to a team, one turn each. */
function give(members: readonly TeamMember[], count: number, from?: TeamTurns, start = 1) {
  let turns = from
  const got: string[] = []
  for (let turn = start; turn < start + count; turn += 1) {
    const next = nextMember(members, { turns, turn, load: NO_LOAD })
    ;({ turns } = next)
    got.push(next.member?.userId ?? '')
  }
  return { got, turns }
}

test('members take turns in their order', () => {
  expect(give([member('1'), member('2'), member('3')], 7).got).toEqual(['1', '2', '3', '1', '2', '3', '1'])
})

test('a member who is off is skipped, and gets one lead first when they are back, not all they missed', () => {
  const away = give([member('1'), member('2', true), member('3')], 6)
  expect(away.got).toEqual(['1', '3', '1', '3', '1', '3'])
  expect(give([member('1'), member('2'), member('3')], 4, away.turns, 7).got).toEqual(['2', '1', '3', '2'])
})

test('says who is next and who is off, and who follows if they do not accept it', () => {
  const {
    member: next,
    others,
    why,
  } = nextMember([member('1'), member('2', true), member('3')], {
    turns: { position: 0, shares: { '1': 2_520 }, turns: { '1': 4 } },
    turn: 5,
    load: NO_LOAD,
  })
  expect(next?.userId).toBe('3')
  expect(others.map(({ userId }) => userId)).toEqual(['1'])
  expect(why).toBe('User 3 is next of 2 (User 2 is off)')
})

test('no one is next if all are off or there is no one', () => {
  expect(nextMember([member('1', true)], { turns: undefined, turn: 1, load: NO_LOAD }).member).toBeNull()
  expect(nextMember([], { turns: undefined, turn: 1, load: NO_LOAD }).member).toBeNull()
})

test('as many leads as the sum of the weights give each member exactly their weight', () => {
  const members = [member('1', false, { weight: 3 }), member('2'), member('3', false, { weight: 2 })]
  const { got } = give(members, 600)
  for (let cycle = 0; cycle < 100; cycle += 1) {
    const six = got.slice(cycle * 6, cycle * 6 + 6)
    expect(['1', '2', '3'].map((id) => six.filter((one) => one === id).length)).toEqual([3, 1, 2])
  }
  expect(nextMember(members, { turns: undefined, turn: 1, load: NO_LOAD }).why).toBe(
    'User 1 is next of 3, by weight 3:1:2',
  )
})

test('a member at a cap is skipped and named; if all are, no one is next and the team is full', () => {
  const members = [member('1', false, { openCap: 4 }), member('2', false, { dailyCap: 1 }), member('3', true)]
  const next = (open: number, today: number) =>
    nextMember(members, { turns: undefined, turn: 1, load: { open: { 1: open }, today: { 2: today } } })
  expect(next(4, 0)).toMatchObject({
    member: { userId: '2' },
    why: 'User 2 is next of 1 (User 3 is off, User 1 has 4 open leads)',
  })
  expect(next(3, 1)).toMatchObject({ member: { userId: '1' }, others: [], isFull: false })
  expect(next(5, 1)).toMatchObject({
    member: null,
    isFull: true,
    why: 'no one can take more leads (User 1 has 5 open leads, User 2 got the only lead of the day, User 3 is off)',
  })
})
