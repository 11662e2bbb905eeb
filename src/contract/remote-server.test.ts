import { expect, test } from 'vitest'
import { remoteFileFields, pathOn } from './remote-server.ts'

/** Still the previous day in California. */
const at = new Date('2026-01-01T03:00:00Z')

test('dates in braces are filled in with the date in the customer time zone', () => {
  const zone = 'America/Los_Angeles'
  expect(pathOn('/out/{yyyy}/stock_{yyyy-MM-dd}.csv', { at, zone })).toBe('/out/2025/stock_2025-12-31.csv')
  expect(pathOn('/{MM}{dd}{yy}.txt', { at, zone })).toBe('/123125.txt')
  expect(pathOn('/{yyyyMMdd}.csv', { at, zone: 'Europe/Berlin' })).toBe('/20260101.csv')
  expect(pathOn('/yyyy/stock.csv', { at, zone })).toBe('/yyyy/stock.csv')
})

test.for([
  ['/out/{yyyy_MM_dd}.csv', true],
  ['/out/stock.csv', true],
  ['/out/{HH}.csv', false],
  ['/out/{yyyy.csv', false],
  ['/out/{}.csv', false],
] as const)('the path %s is accepted: %s', ([path, isAccepted]) => {
  expect(remoteFileFields.remotePath.safeParse(path).success).toBe(isAccepted)
})
