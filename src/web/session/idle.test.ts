import { expect, test } from 'vitest'
import { idleState } from './idle.ts'

const times = { idleSeconds: 1800, warningSeconds: 20 }
const after = (seconds: number) => idleState(5_000, 5_000 + seconds * 1000, times)

test('the user counts as active until the idle time is over', () => {
  expect(after(0)).toEqual({ kind: 'active' })
  expect(after(1799.9)).toEqual({ kind: 'active' })
})

test('the warning counts down whole seconds', () => {
  expect(after(1800)).toEqual({ kind: 'warning', secondsLeft: 20 })
  expect(after(1800.5)).toEqual({ kind: 'warning', secondsLeft: 20 })
  expect(after(1819.5)).toEqual({ kind: 'warning', secondsLeft: 1 })
})

test('the timeout follows the countdown and includes hours of sleep', () => {
  expect(after(1820)).toEqual({ kind: 'over' })
  expect(after(36_000)).toEqual({ kind: 'over' })
})
