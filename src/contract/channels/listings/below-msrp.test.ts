import { expect, test } from 'vitest'
import { belowMsrp } from './below-msrp.ts'

const usd = (cents: number) => ({ cents, currency: 'USD' })

test.each([
  ['a new vehicle below its MSRP', true, usd(4_500_000), usd(4_250_000), 250_000],
  ['at its MSRP', true, usd(4_500_000), usd(4_500_000), null],
  ['above its MSRP', true, usd(4_500_000), usd(4_600_000), null],
  ['a used one', false, usd(4_500_000), usd(2_250_000), null],
  ['without an MSRP', true, null, usd(4_250_000), null],
  ['without a price', true, usd(4_500_000), null, null],
  ['in two currencies', true, usd(4_500_000), { cents: 4_250_000, currency: 'CAD' }, null],
])('%s', (_, isNew, msrp, price, savedCents) => {
  expect(belowMsrp({ isNew, msrp, price })?.savedCents ?? null).toBe(savedCents)
})
