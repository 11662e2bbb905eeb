import { expect, test } from 'vitest'
import { speedOf, startSpeedMeter } from './machine-speed.mjs'

test('a machine on which the probe takes twice as long as on the reference has half its speed', () => {
  expect(speedOf([146_000])).toBe(0.5)
})

test('the speed follows the median, so that one slow measurement changes nothing', () => {
  expect(speedOf([73_000, 900_000, 73_000])).toBe(1)
  expect(speedOf([50_000, 96_000])).toBe(1)
})

test('without a measurement, the machine counts as fast as the reference', () => {
  expect(speedOf([])).toBe(1)
})

test('the probe measures this machine', async () => {
  const meter = startSpeedMeter(process.execPath)
  await expect.poll(() => meter.average()).not.toBe(1)
  meter.stop()
  expect(meter.current()).toBeGreaterThan(0)
})
