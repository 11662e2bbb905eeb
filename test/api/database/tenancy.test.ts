import { clock } from '#server/clock.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { isPlatformOnly } from '#contract/permissions.ts'
import { addressOf, isFile, Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { everyCase, type Foreign } from '#test/cases/cases.ts'
import { addAllRightsHere } from '#test/factories/identity/all-rights.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { forkSession } from '#test/factories/identity/sessions.ts'
import { snapshot } from '#test/harness/snapshot.ts'

// Words that exist in one organization only. Names of sister organizations are not secret within their customer.
const OTHER = [
  'canary-other-lot',
  'canary-other-organization',
  'canary-other-person',
  'canary-other-mail',
  'canary-other-facility',
]
const SISTER = [
  'canary-sister-lot',
  'canary-sister-person',
  'canary-sister-gone',
  'canary-sister-mail',
  'canary-sister-facility',
]

let forecourt: TestApp
let home: TestOrganization
let dealer: Caller
/** Has every permission, but only in Northgate Ford. */
let strongest: Caller
const foreignPlaces = new Map<Foreign, TestOrganization>()

let startedAt: string
beforeAll(async () => {
  forecourt = await testApp()
  startedAt = clock.date().toISOString()
  home = await testOrganization(forecourt, 'Northgate Ford')
  const sister = await testOrganization(forecourt, 'Northgate Toyota')
  const other = await testOrganization(forecourt, 'Harbor Honda')
  foreignPlaces.set('sister organization', sister).set('other customer', other)

  const userType = await addAllRightsHere(home)
  await home.addMember({ userName: 'strongest', userType })
  await sister.addMember({
    userName: 'sister.dealer',
    userType: 'Dealer user',
    firstName: 'canary-sister-person',
  })
  await other.addMember({
    userName: 'other.dealer',
    userType: 'Dealer user',
    firstName: 'canary-other-person',
  })
  await other.addOrganization('canary-other-organization')
  await sister.addFacility({ name: 'canary-sister-facility' })
  await other.addFacility({ name: 'canary-other-facility' })
  await sister.addMail('canary-sister-mail')
  await other.addMail('canary-other-mail')
  // Through the API, so that the audit log and "updated by" have the words too.
  const atSister = await forecourt.as('sister.dealer')
  await atSister.call(lots.add, { name: 'canary-sister-lot', code: 'CSL' })
  const gone = await atSister.call(lots.add, { name: 'canary-sister-gone', code: 'CSG' })
  await atSister.call(lots.remove, { id: gone.id })
  await (await forecourt.as('other.dealer')).call(lots.add, { name: 'canary-other-lot', code: 'COL' })

  dealer = await forecourt.as('northgate.dealer')
  strongest = await forecourt.as('strongest')
})
afterAll(() => forecourt.close())

function foreignPlace(foreign: Foreign): TestOrganization {
  const place = foreignPlaces.get(foreign)
  if (place === undefined) throw new Error(`There is no ${foreign}.`)
  return place
}

async function answerOf(
  caller: Caller,
  endpoint: (typeof everyCase)[number]['endpoint'],
  input: unknown,
): Promise<string> {
  const { url, body } = addressOf(endpoint, input)
  const own = await forkSession(forecourt, caller)
  const { text } = await own.send({
    method: endpoint.method,
    url,
    ...(body === undefined ? {} : { payload: body }),
  })
  return text
}

async function hasNoForeignData({ name, endpoint, input }: (typeof everyCase)[number]): Promise<void> {
  const answers = [
    await answerOf(dealer, endpoint, await input(home)),
    await answerOf(strongest, endpoint, await input(home)),
  ]
  const foreign = ACROSS_STORES.has(name) ? OTHER : [...OTHER, ...SISTER]
  expect(foreign.filter((word) => answers.join(' ').includes(word))).toEqual([])
}
/** Who reaches the whole customer chooses among all its stores. */
const ACROSS_STORES: ReadonlySet<string> = new Set(['leadMoves.stores'])
const isFourth = (_one: unknown, at: number): boolean => at % 4 === 0
test.for(everyCase.filter(isFourth))('$name returns no data of another tenant', hasNoForeignData)
test.for(everyCase.filter((one, at) => !isFourth(one, at)))(
  '$name returns no data of another tenant',
  { tags: 'release' },
  hasNoForeignData,
)

test.for([...OTHER, ...SISTER])('searching for %s finds nothing in any list', async (word) => {
  const lists = everyCase.filter(
    ({ endpoint, name }) =>
      endpoint.method === 'GET' &&
      name.endsWith('.list') &&
      !isOfPlatform(endpoint) &&
      endpoint.input.safeParse({ search: word, pageSize: 200 }).success,
  )
  const answers = await Promise.all(
    lists.map(({ endpoint }) => strongest.call(endpoint, { search: word, pageSize: 200 })),
  )
  expect(answers).toEqual(lists.map(() => expect.objectContaining({ filteredRows: 0, results: [] })))
})

test('an administrator of the whole customer sees lots of sister organizations but not of other customers', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const { results } = await admin.call(lots.list, { pageSize: 200 })
  const names = results.map(({ name }) => name)
  expect([...OTHER, ...SISTER].filter((word) => names.includes(word))).toEqual(['canary-sister-lot'])
})

/** Only platform staff can read across customers. */
const isOfPlatform = ({ allow }: (typeof everyCase)[number]['endpoint']): boolean =>
  typeof allow === 'object' && 'func' in allow && isPlatformOnly(allow.func)

type ForeignCase = { name: string; foreign: Foreign }
const foreignCases: ForeignCase[] = everyCase.flatMap(({ name, foreign }) =>
  foreign === 'takes no ids'
    ? []
    : (['sister organization', 'other customer'] as const).map((whose) => ({ name, foreign: whose })),
)

/** Of the two of each call, one of every second call, in turns; the others are rejected before a release. */
const isSampled = (_one: ForeignCase, at: number): boolean => at % 4 === Math.floor(at / 4) % 4

describe('a row of another tenant', () => {
  async function isRejected({ name, foreign }: ForeignCase): Promise<void> {
    const found = everyCase.find((one) => one.name === name)
    if (found === undefined || found.foreign === 'takes no ids') throw new Error(`${name} takes no ids.`)
    const make = found.foreign.input ?? found.input
    const input = await make(foreignPlace(foreign))
    const caller = await forkSession(forecourt, strongest)
    const before = await snapshot(forecourt.owner)
    const outcome = await caller.call(found.endpoint, input).then(
      () => 'reached' as const,
      (error: unknown) => (error instanceof Refused ? error.status : 500),
    )
    const after = await snapshot(forecourt.owner)
    // A file that the customer shares leaves an entry in the audit log when it is taken out, and nothing else.
    const isLogged = outcome === 'reached' && isFile(found.endpoint)
    const logged = isLogged && { audit_log: after.audit_log }
    expect({ outcome, after }).toEqual({ outcome: found.foreign[foreign], after: { ...before, ...logged } })
  }
  test.for(foreignCases.filter(isSampled))(
    'is rejected by $name if it belongs to the $foreign, and nothing changes',
    isRejected,
  )
  test.for(foreignCases.filter((one, at) => !isSampled(one, at)))(
    'is rejected by $name if it belongs to the $foreign, and nothing changes',
    { tags: 'release' },
    isRejected,
  )

  test.for(['sister organization', 'other customer'] as const)(
    'cannot receive a lot: %s',
    async (foreign) => {
      const id = await home.addLot()
      const { organizationId } = foreignPlace(foreign)
      const before = await snapshot(forecourt.owner)
      await expect(strongest.call(lots.update, { id, organizationId })).toRefuse(
        400,
        'Choose one of your organizations.',
      )
      expect(await snapshot(forecourt.owner)).toEqual(before)
    },
  )

  test('of another customer cannot receive a lot from an administrator either', async () => {
    const id = await home.addLot()
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const { organizationId } = foreignPlace('other customer')
    await expect(admin.call(lots.update, { id, organizationId })).toRefuse(
      400,
      'Choose one of your organizations.',
    )
  })
})

test.for(everyCase.filter(({ name }) => /^organizations.(save|remove)$/.test(name)))(
  'an administrator of the whole customer gets 404 from $name for an organization of another customer',
  async ({ endpoint, input, foreign }) => {
    const make = (foreign === 'takes no ids' ? undefined : foreign.input) ?? input
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const sent = await make(foreignPlace('other customer'))
    const before = await snapshot(forecourt.owner)
    await expect(admin.call(endpoint, sent)).toRefuse(404, 'Organization not found.')
    expect(await snapshot(forecourt.owner)).toEqual(before)
  },
)

test('an administrator can move a lot to a sister organization, and the dealer no longer sees it', async () => {
  const id = await home.addLot()
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  await admin.call(lots.update, { id, organizationId: foreignPlace('sister organization').organizationId })
  await expect(dealer.call(lots.get, { id })).toRefuse(404, 'Lot not found.')
})

test('platform staff see only the customer they act in', async () => {
  const helper = await forecourt.as('super', 'Northgate Ford')
  const id = await foreignPlace('other customer').addLot()
  await expect(helper.call(lots.get, { id })).toRefuse(404, 'Lot not found.')
})

test('a user who loses the membership of the current organization has no organization at once', async () => {
  await foreignPlace('sister organization').addMember({ userName: 'leaver', userType: 'Dealer user' })
  const leaver = await forecourt.as('leaver')
  await forecourt.owner.query(
    `delete from memberships m using users u where u.customer_id = m.customer_id and u.id = m.user_id and u.user_name = 'leaver'`,
  )
  await expect(leaver.call(lots.list, {})).toRefuse(403, 'Choose an organization first.')
  await expect(leaver.call(auth.authFunc, {})).resolves.toEqual({ isSuper: false, permissions: [] })
})

test('every change that one of these calls made is logged with where it came from', async () => {
  const { rows } = await forecourt.owner.query<{ endpoint: string; places: number; lost: number }>(
    `select endpoint, count(*)::int as places, count(*) filter (where address is null)::int as lost from audit_log
    where operation <> 'event' and actor_user_id is not null and at >= $1 and endpoint is not null group by endpoint`,
    [startedAt],
  )
  expect(rows.length).toBeGreaterThan(20)
  // Jobs that delete many rows run later, without a request.
  expect(rows.filter(({ endpoint, lost }) => lost > 0 && !endpoint.endsWith('.removeMany'))).toEqual([])
})
