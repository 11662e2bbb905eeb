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

test('only the steps show whose permission is held, in their order', () => {
  expect(visibleSteps(STEPS, holding(19, 11)).map(({ title }) => title)).toEqual(['Start', 'Emission'])
})

test('a link to a hidden step leads to the first that shows', () => {
  expect(stepFor(STEPS, 'Start', holding(15, 19))).toEqual({ show: 'other', href: '/wizard/facility' })
  expect(stepFor(STEPS, 'Emission', holding(15, 19))).toEqual({ show: 'step' })
})

test('who may see none is told so, and nobody before it is known', () => {
  expect(stepFor(STEPS, 'Start', holding())).toEqual({ show: 'none' })
  expect(stepFor(STEPS, 'Start', () => null)).toEqual({ show: 'unknown' })
})
