import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyCase } from '#test/cases/cases.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { placeOf, type Place } from '#test/factories/places.ts'

let forecourt: TestApp
let admin: Caller
let place: Place
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('super', 'Northgate Ford')
  place = await placeOf(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

test('no call with a file answers JSON of another form in the words of a library', async () => {
  const said: string[] = []
  for (const { endpoint, input, name } of everyCase.filter((one) => one.endpoint.kind === 'upload')) {
    const valid: unknown = await input(place)
    for (const odd of ['[]', '{}', '{"sheet":7,"columns":[{}],"mapping":7,"year":"x","unknown":1}', '7']) {
      const texts = Object.entries(typeof valid === 'object' && valid !== null ? valid : {})
      const sent = Object.fromEntries(
        texts.map(([key, value]) => [key, /^\d+$/.test(String(value)) ? value : odd]),
      )
      const outcome = await admin.call(endpoint, sent).then(
        () => '',
        (error: unknown) => String(error),
      )
      if (/Invalid input|Invalid option|expected|received/.test(outcome)) said.push(`${name}: ${outcome}`)
    }
  }
  expect(said).toEqual([])
})
