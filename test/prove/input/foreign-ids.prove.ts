import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { everyCase, type Foreign } from '#test/cases/cases.ts'
import { withParticipant } from '#test/factories/participants/add-participants.ts'
import { addAllRightsHere } from '#test/factories/identity/all-rights.ts'
import { forkSession } from '#test/factories/identity/sessions.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

type Case = (typeof everyCase)[number]
type Path = readonly (string | number)[]
type Json = Record<string, unknown>

const IS_ID = /^ids?$|Ids?$/
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** IDs that a client makes up, so that no row has them. */
const MADE_BY_CLIENTS = new Set(['visitId', 'uploadId', 'mutationId', 'requestId', 'clientId'])

/** Rows of the whole customer, which users of one organization can use by design. */
const OF_THE_CUSTOMER = new Set(['dealerIds.assign id'])

let forecourt: TestApp
let home: TestOrganization
let strongest: Caller
let participant: Caller
const others = new Map<Foreign, TestOrganization>()

beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_SIGNIN_FAILURES_PER_MINUTE: '1000000' })
  home = await testOrganization(forecourt, 'Northgate Ford')
  others.set('sister organization', await testOrganization(forecourt, 'Northgate Toyota'))
  others.set('other customer', await testOrganization(forecourt, 'Harbor Honda'))
  const userType = await addAllRightsHere(home)
  await home.addMember({ userName: 'strongest', userType })
  strongest = await forecourt.as('strongest')
  participant = await home.asParticipant()
})
afterAll(() => forecourt.close())

/** The places of IDs in an input: those that it has, and the fields of its schema that it leaves out. */
function placesOf(endpoint: Endpoint, input: unknown): Path[] {
  const found = new Map<string, Path>()
  const add = (path: Path) => found.set(JSON.stringify(path), path)
  const visit = (value: unknown, path: Path) => {
    if (Array.isArray(value)) return value.forEach((one, number) => visit(one, [...path, number]))
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      if (IS_ID.test(name)) add([...path, name])
      else visit(inner, [...path, name])
    }
  }
  visit(input, [])
  const { properties = {} } = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' })
  for (const name of Object.keys(properties)) if (IS_ID.test(name)) add([name])
  return [...found.values()].filter((path) => !MADE_BY_CLIENTS.has(String(path.at(-1))))
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => {
    if (Array.isArray(inner)) return typeof part === 'number' ? inner[part] : undefined
    return isObject(inner) ? inner[part] : undefined
  }, value)
}

/** The input with another value at a place. */
function withValue(input: unknown, [part, ...rest]: Path, value: unknown): unknown {
  if (part === undefined) return value
  if (Array.isArray(input)) return input.map((one, n) => (n === part ? withValue(one, rest, value) : one))
  const own = isObject(input) ? input : {}
  return { ...own, [part]: withValue(own[part], rest, value) }
}

const singular = (name: string) => name.replace(/s$/, '')
/** The ID of a row. Names that authors give, as those of sections, are not. */
const firstOf = (value: unknown): string | undefined => {
  const [first] = Array.isArray(value) ? value : [value]
  return typeof first === 'string' && /^\d{1,18}$/.test(first) ? first : undefined
}

/** The IDs in the inputs of another tenant, by the name of their field. */
async function harvest(place: TestOrganization) {
  const inputs = new Map<string, unknown>()
  const byName = new Map<string, string>()
  for (const one of everyCase) {
    const make = (one.foreign === 'takes no ids' ? undefined : one.foreign.input) ?? one.input
    const input = await make(place)
    inputs.set(one.name, input)
    for (const path of placesOf(one.endpoint, input)) {
      const id = firstOf(at(input, path))
      const name = singular(String(path.at(-1)))
      if (id !== undefined && name !== 'id' && !byName.has(name)) byName.set(name, id)
    }
  }
  return { inputs, byName }
}

/** Of no row. */
const MISSING = '999999999999'

/** `shape`: the response without digits, so that new IDs and times don't count. */
async function outcomeOf(one: Case, input: unknown): Promise<{ status: string; shape: string }> {
  const caller = withParticipant(await forkSession(forecourt, strongest), async () => participant)
  return caller.call(one.endpoint, input).then(
    (data) => ({ status: '200', shape: JSON.stringify(data ?? null).replaceAll(/\d+/g, '#') }),
    (error: unknown) => ({
      status: error instanceof Refused ? String(error.status) : `failed: ${String(error)}`,
      shape: '',
    }),
  )
}

/**
 * Whether an accepted ID gives exactly what one gives that no row has: a search that finds nothing, a row that is reported as
 * unknown, or a field that is only an echo of the record.
 */
async function isAsIfMissing(one: Case, path: Path, isMany: boolean, shape: string): Promise<boolean> {
  const input = withValue(await one.input(home), path, isMany ? [MISSING] : MISSING)
  const other = await outcomeOf(one, input)
  return other.status === '200' && other.shape === shape
}

test('no call accepts an ID of another tenant in any field', async () => {
  const problems: string[] = []
  const counts = new Map<string, number>()
  for (const [whose, place] of others) {
    const { inputs, byName } = await harvest(place)
    for (const one of everyCase) {
      const expected = one.foreign === 'takes no ids' ? null : one.foreign[whose]
      if (expected === 'reached') continue
      const theirs = inputs.get(one.name)
      for (const path of placesOf(one.endpoint, await one.input(home))) {
        const name = String(path.at(-1))
        if (whose === 'sister organization' && OF_THE_CUSTOMER.has(`${one.name} ${path.join('.')}`)) continue
        const id = firstOf(at(theirs, path)) ?? byName.get(singular(name))
        if (id === undefined) {
          counts.set('of no row', (counts.get('of no row') ?? 0) + 1)
          continue
        }
        const mine = await one.input(home)
        const isMany = name.endsWith('s') || Array.isArray(at(mine, path))
        const { status, shape } = await outcomeOf(one, withValue(mine, path, isMany ? [id] : id))
        const isHarmless = status === '200' && (await isAsIfMissing(one, path, isMany, shape))
        const kind = isHarmless ? 'as if of no row' : status.slice(0, 6)
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
        if (!/^4\d\d$/.test(status) && !isHarmless)
          problems.push(`${one.name} ${path.join('.')} of the ${whose}: ${status} ${shape.slice(0, 200)}`)
      }
    }
  }
  const figures = [...counts]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([status, count]) => `${count} x ${status}`)
  console.log(`figure: IDs of another tenant in every field of every call = ${figures.join(', ')}`)
  expect(problems).toEqual([])
})
