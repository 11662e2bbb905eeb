import { expect, test } from 'vitest'
import type { PlaceChoice } from '#contract/assessments/assessments/setup.ts'
import { byOrganization, changesOf, choose, isWanted, NO_CHOICE } from './target-choice.ts'

const place = (facilityId: string | null, isTarget = false, organizationId = '1'): PlaceChoice => ({
  organizationId,
  organizationName: `Organization ${organizationId}`,
  facilityId,
  name: facilityId ?? 'Whole',
  level: null,
  type: null,
  city: null,
  isTarget,
})
const whole = place(null)
const old = place('7', true)

test('only what differs from the saved targets is sent', () => {
  const choice = choose(choose(NO_CHOICE, [whole, old], true), [old], false)
  expect([whole, old].map((one) => isWanted(choice, one))).toEqual([true, false])
  const targets = [{ id: '50', organizationId: '1', facilityId: '7' }]
  expect(changesOf(choice, targets)).toEqual({ added: [whole], removed: ['50'] })
  expect(choose(choose(choice, [whole], false), [old], true).size).toBe(0)
})

test('places are grouped by organization in their order', () => {
  const groups = byOrganization([place('1'), place('2', false, '2'), place('3')])
  expect(groups.map(({ id, places }) => [id, places.length])).toEqual([
    ['1', 2],
    ['2', 1],
  ])
})
