import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { everyCase } from '#test/cases/cases.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** Deletions of what has a version. `stale-writes.test.ts` says why the others take none. */
const deletions = everyCase.filter(
  ({ endpoint: { method, input } }) =>
    input instanceof z.ZodObject &&
    Object.hasOwn(input.shape, 'version') &&
    (method === 'DELETE' || Object.hasOwn(input.shape, 'selection')),
)
const Current = z.object({ version: z.number().int() })
/** A version that no record has reached. */
const OTHER = 987_654

test('most deletions take the version that was seen', () => {
  expect(deletions.length).toBeGreaterThan(32)
})

test.for(deletions)('$name deletes the version that was seen, and nothing else', async (one) => {
  const { name, endpoint, foreign, allowedStatus } = one
  // Cases of rows that belong to one user have them as those of someone else.
  const make = allowedStatus === 200 || foreign === 'takes no ids' ? one.input : (foreign.input ?? one.input)
  const sent = z.looseObject({}).parse(await make(place))
  const { status, refusal } = await refusalOf(admin.call(endpoint, { ...sent, version: OTHER }))
  expect({ name, status, message: refusal.message }).toMatchObject({
    status: 409,
    message: expect.stringContaining('changed by someone else in the meantime'),
  })
  const { version } = Current.parse(
    name === 'vehiclePrices.endSpecial' ? special(refusal.current) : refusal.current,
  )
  await admin.call(endpoint, { ...sent, version })
})

const special = (price: unknown) => z.object({ special: z.unknown() }).parse(price).special
