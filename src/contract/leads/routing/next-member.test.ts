import { expect, test } from 'vitest'
import { type MemberTurns, nextMember, type TeamMember } from './next-member.ts'

const member = (userId: string, isOff = false): TeamMember => ({ userId, name: `User ${userId}`, isOff })

/** Gives leads to a team, one turn each. */
function give(members: readonly TeamMember[], count: number, from: MemberTurns = {}, start = 1) {
  const turns: Record<string, number> = { ...from }
  const got: string[] = []
  for (let turn = start; turn < start + count; turn += 1) {
    const { userId = '' } = nextMember(members, turns).member ?? {}
    turns[userId] = turn
    got.push(userId)
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
  const { member: next, others, why } = nextMember([member('1'), member('2', true), member('3')], { '1': 4 })
  expect(next?.userId).toBe('3')
  expect(others.map(({ userId }) => userId)).toEqual(['1'])
  expect(why).toBe('User 3 is next of 2 (User 2 is off)')
})

test('no one is next if all are off or there is no one', () => {
  expect(nextMember([member('1', true)], {}).member).toBeNull()
  expect(nextMember([], {}).member).toBeNull()
})
