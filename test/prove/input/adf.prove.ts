import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import { ADF_RULES } from '#test/suites/adf.ts'
import { checkInboundDocuments } from '#test/suites/inbound.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

test.each(ADF_RULES)('$rule, in 10,000 cases', ({ check }) => {
  expect(() => check(10_000)).not.toThrow()
})

/** Most take 20 ms; a slow one waits for three others of the same address. */
const LONGEST_MS = 5_000

test('10,000 damaged and wrapped documents each get a clear response in bounded time, and none is lost', async () => {
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  const startedAt = performance.now()
  const { longestMs, leads } = await checkInboundDocuments(forecourt, ford, {
    documents: 10_000,
    seed: 20_261_125,
  })
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  console.log(
    `figure: 10,000 documents to an inbound address = ${seconds} s, longest response ${longestMs} ms, ${leads} leads`,
  )
  expect(longestMs).toBeLessThan(LONGEST_MS)
})
