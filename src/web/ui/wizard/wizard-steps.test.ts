import { expect, test } from 'vitest'
import { stepFor, visibleSteps, type WizardStep } from './wizard-steps.ts'

const step = (title: string, func: number): WizardStep => ({
  title,
  href: `/wizard/${title.toLowerCase()}`,
  needs: { func, opr: 3 },
  state: 'empty',
})
const STEPS = [step('Start', 11), step('Facility', 15), step('Emission', 19)]
const holding =
  (...functions: number[]) =>
  ({ func }: { func: number }) =>
    functions.includes(func)

test('only steps whose permission is held are shown, in order', () => {
  expect(visibleSteps(STEPS, holding(19, 11)).map(({ title }) => title)).toEqual(['Start', 'Emission'])
})

test('a link to a hidden step opens the first visible one', () => {
  expect(stepFor(STEPS, 'Start', holding(15, 19))).toEqual({ show: 'other', href: '/wizard/facility' })
  expect(stepFor(STEPS, 'Emission', holding(15, 19))).toEqual({ show: 'step' })
})

test('without any permitted step the result is none, and unknown until permissions have loaded', () => {
  expect(stepFor(STEPS, 'Start', holding())).toEqual({ show: 'none' })
  expect(stepFor(STEPS, 'Start', () => null)).toEqual({ show: 'unknown' })
})
