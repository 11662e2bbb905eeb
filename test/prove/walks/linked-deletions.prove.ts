import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import { follow, LINKED, walks } from '#test/suites/linked-records.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

describe('a reference between two records survives', () => {
  test.each(LINKED.map((linked) => [`${linked.from}.${linked.column}`, linked] as const))(
    '%s: deletions and undos of both in every order',
    async (_, linked) => {
      const place = await testOrganization(forecourt, 'Northgate Ford')
      for (const steps of [...walks(linked, 2), ...walks(linked, 4), ...walks(linked, 6)]) {
        const ids = await linked.add(place)
        const named = await follow(forecourt, place, { linked, ids, steps })
        expect({ steps, named }).toEqual({ steps, named: ids[1] })
      }
    },
  )
})
