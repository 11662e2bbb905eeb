import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyCase } from '#test/cases/cases.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { withParticipant } from '#test/factories/participants/add-participants.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
  admin = withParticipant(await forecourt.as('super', 'Northgate Ford'), place.asParticipant)
})
afterAll(() => forecourt.close())

test('uploads with invalid JSON fields never return messages from a library', async () => {
  const messages: string[] = []
  for (const { endpoint, input, name } of everyCase.filter((one) => one.endpoint.kind === 'upload')) {
    const valid: unknown = await input(place)
    for (const invalid of [
      '[]',
      '{}',
      '{"sheet":7,"columns":[{}],"mapping":7,"year":"x","unknown":1}',
      '7',
    ]) {
      const texts = Object.entries(typeof valid === 'object' && valid !== null ? valid : {})
      const sent = Object.fromEntries(
        texts.map(([key, value]) => [key, /^\d+$/.test(String(value)) ? value : invalid]),
      )
      const outcome = await admin.call(endpoint, sent).then(
        () => '',
        (error: unknown) => String(error),
      )
      if (/Invalid input|Invalid option|expected|received/.test(outcome)) messages.push(`${name}: ${outcome}`)
    }
  }
  expect(messages).toEqual([])
})
