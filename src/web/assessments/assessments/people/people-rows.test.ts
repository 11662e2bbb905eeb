import { expect, test } from 'vitest'
import type { TargetPerson } from '#contract/assessments/targets/targets.ts'
import { addRow, describeChanges, isChanged, setRole, toPeople, toRows } from './people-rows.ts'

const person = (id: string, role: TargetPerson['role'], isDelegate = false): TargetPerson => ({
  id,
  role,
  userId: id,
  participantId: null,
  name: `Person ${id}`,
  email: `${id}@dealer.example`,
  isDelegate,
})
const ana = person('1', 'owner')
const tom = person('2', 'contributor', true)

test('the first person becomes the owner, others become contributors, and no one is listed twice', () => {
  const first = addRow([], ana)
  const both = addRow(addRow(first, tom), ana)
  expect(both.map(({ key, role }) => [key, role])).toEqual([
    ['user/1', 'owner'],
    ['user/2', 'contributor'],
  ])
})

test('a new owner makes the former one a contributor, and answers everything', () => {
  const rows = setRole(toRows([ana, tom]), 'user/2', 'owner')
  expect(rows.map(({ role, isDelegate }) => [role, isDelegate])).toEqual([
    ['contributor', false],
    ['owner', false],
  ])
  expect(toPeople(rows)).toEqual([
    { role: 'contributor', userId: '1' },
    { role: 'owner', userId: '2' },
  ])
})

test('only another role or another person is a change', () => {
  expect(isChanged(toRows([ana, tom]), [ana, tom])).toBe(false)
  expect(isChanged(setRole(toRows([ana, tom]), 'user/2', 'reader'), [ana, tom])).toBe(true)
  expect(isChanged(toRows([ana]), [ana, tom])).toBe(true)
})

test('what someone else changed is said person by person', () => {
  const eva = person('3', 'owner')
  expect(describeChanges([ana, tom], [{ ...ana, role: 'contributor' }, eva])).toEqual([
    'Person 1 is now contributor.',
    'Person 3 was added (owner).',
    'Person 2 was removed.',
  ])
  expect(describeChanges([ana, tom], [tom, ana])).toEqual([])
})
