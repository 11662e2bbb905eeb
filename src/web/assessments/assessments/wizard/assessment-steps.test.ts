import { expect, test } from 'vitest'
import { assessmentSteps } from './assessment-steps.ts'

const target = (targetId: string) => ({
  targetId,
  name: 'Main',
  organizationName: 'Ford',
  reason: 'No owner.',
})
const states = (...given: Parameters<typeof assessmentSteps>) =>
  assessmentSteps(...given).map(({ state }) => state)

test('the steps of a draft follow from its targets and from who can answer', () => {
  expect(states(null, null)).toEqual(['empty', 'locked', 'locked', 'locked'])
  expect(states({ id: '1', targets: 0 }, [])).toEqual(['complete', 'empty', 'locked', 'locked'])
  expect(states({ id: '1', targets: 2 }, null)).toEqual(['complete', 'complete', null, null])
  expect(states({ id: '1', targets: 2 }, [target('1'), target('2')])).toEqual([
    'complete',
    'complete',
    'empty',
    'empty',
  ])
  expect(states({ id: '1', targets: 2 }, [target('1')])[2]).toBe('partly')
  expect(states({ id: '1', targets: 2 }, [])[2]).toBe('complete')
})
