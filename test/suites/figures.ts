import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { boardStateOf } from '#contract/assessments/targets/board-states.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { activities } from '#contract/carbon/activity/activity.ts'
import { SCOPE2_METHODS } from '#contract/carbon/activity/ledger-schema.ts'
import { Figure as Decimal, plain } from '#contract/carbon/factors/figure.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledgerFilter, ledgerInput, lineText, readLine } from '#contract/carbon/results/ledger-filter.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { carbonOpenItems, OPEN_ITEM_KINDS } from '#contract/carbon/results/open-items.ts'
import { type Endpoint, listEndpoints } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { LEAD_LIST, leadRule, readLeadQueue } from '#contract/leads/inbox/lead-list.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import { View, views } from '#contract/lists/views.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { listOf, queriedList } from '#contract/queried-list.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { type Caller, Refused, testApp, type TestApp } from '#test/app.ts'
import type { Draw } from './draw.ts'
import { viewsOf } from '#web/feeds/runs/row-views.ts'
import { countedSubmissions } from '#web/marketing/forms/counted-submissions.ts'

/** A figure of an answer with the path that it opens: a number of rows, or an amount that rows add up to. */
type Figure = Readonly<{ place: string; count: number | null; kg: string | null; url: string }>
/** The rows that a path shows. `kg`: what they add up to, if they are results. */
type Opened = Readonly<{ count: number; kg: string | null }>
type Opener = (caller: Caller, search: URLSearchParams, path: string) => Promise<Opened>

const Rows = queriedList(z.unknown())
const Forms = z.object({ results: z.array(z.object({ name: z.string(), submissions: z.number() })) })
const Ids = z.object({ results: z.array(z.object({ id: z.string() })) })
const counted = (count: number): Opened => ({ count, kg: null })
const count = async (caller: Caller, endpoint: Endpoint, input: object): Promise<Opened> =>
  counted(Rows.parse(await caller.call(endpoint, { ...input, pageSize: 1 })).filteredRows)

/** Every list of the product, by its page. */
const LISTS = Map.groupBy(
  listEndpoints(contract).flatMap(({ endpoint }) => {
    const list = listOf(endpoint)
    return list === undefined ? [] : [{ list, endpoint }]
  }),
  ({ list }) => list.page,
)

/** A page shows other rows than meant if it doesn't read a parameter. */
function expectOnly(search: URLSearchParams, names: readonly string[]): void {
  expect(names).toEqual(expect.arrayContaining([...search.keys()]))
}

/** A page that shows the rows of its list. */
const openList: Opener = async (caller, search, path) => {
  expectOnly(search, ['filter', 'search', 'sort'])
  const here = LISTS.get(`/${path.slice(1)}`) ?? []
  // Other lists are shown on the pages of a record.
  const found = here.length === 1 ? here[0] : here.find(({ list }) => list.key === path.slice(1))
  if (found === undefined) throw new Error(`The page ${path} has no list.`)
  return count(caller, found.endpoint, Object.fromEntries(search))
}

/** The pages that don't only show the rows of a list, as they read their paths. */
const PAGES: readonly Readonly<{ pattern: RegExp; open: Opener }>[] = [
  { pattern: new RegExp(`^${LEAD_LIST.page}$`), open: openLeads },
  { pattern: /^\/assessments\/\d+$/, open: openBoard },
  { pattern: /^\/carbon\/insights$/, open: openResults },
  { pattern: /^\/carbon\/emission$/, open: openEmission },
]

async function openLeads(caller: Caller, search: URLSearchParams): Promise<Opened> {
  expectOnly(search, ['queue', 'filter', 'search', 'person'])
  const { queue, filter = '', person = '', ...text } = Object.fromEntries(search)
  return count(caller, leads.list, {
    ...text,
    filter: leadRule({ queue: readLeadQueue(queue), filter, person }),
  })
}

async function openBoard(caller: Caller, search: URLSearchParams, path: string): Promise<Opened> {
  expectOnly(search, ['state'])
  const state = search.get('state')
  const assessment = path.split('/').at(-1) ?? ''
  const { results } = await caller.call(assessmentTargets.list, { assessment, pageSize: 200 })
  const shown = (results ?? []).filter((target) => state === null || boardStateOf(target) === state)
  return counted(shown.length)
}

/** The drawer with the rows behind a total, which has to show the same rows as its link to the ledger. */
async function openResults(caller: Caller, search: URLSearchParams): Promise<Opened> {
  expectOnly(search, ['inventory', 'line', 'method'])
  const line = readLine(search.get('line') ?? '')
  const inventoryId = search.get('inventory') ?? ''
  const method = SCOPE2_METHODS.find((one) => one === search.get('method')) ?? 'location'
  if (line === null) throw new Error('The path names no line.')
  const asked = { inventoryId, method, ...ledgerInput(line) }
  const all: (string | null)[] = []
  for (let page = 1, total = 1; all.length < total; page += 1) {
    const { results, filteredRows } = await caller.call(ledger.rows, { ...asked, page, pageSize: 500 })
    total = filteredRows
    all.push(...(results ?? []).map(({ kg }) => kg))
  }
  const filter = ledgerFilter(inventoryId, line, method)
  expect((await caller.call(ledger.list, { filter, pageSize: 1 })).filteredRows).toBe(all.length)
  return { count: all.length, kg: plain(all.reduce((sum, kg) => sum.plus(kg ?? 0), new Decimal(0))) }
}

async function openEmission(caller: Caller, search: URLSearchParams): Promise<Opened> {
  expectOnly(search, ['inventory', 'tab', 'show', 'facility'])
  const { inventory: inventoryId = '', tab, show, facility } = Object.fromEntries(search)
  const kind = OPEN_ITEM_KINDS.find((one) => one === show)
  if (kind !== undefined)
    return count(caller, carbonOpenItems.list, {
      inventoryId,
      kind,
      ...(facility !== undefined && { facilityId: facility }),
    })
  if (tab !== 'review') throw new Error('This tab has no list of rows.')
  return count(caller, activities.list, {
    inventoryId,
    status: 'submitted',
    ...(show !== undefined && { only: show }),
  })
}

async function open(caller: Caller, url: string): Promise<Opened> {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const opener = PAGES.find(({ pattern }) => pattern.test(pathname))?.open ?? openList
  return opener(caller, searchParams, pathname)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every figure of an answer that has a path: an object with `url` and `count` or `kg`. */
function figuresIn(answer: unknown, place: string): Figure[] {
  if (Array.isArray(answer)) return answer.flatMap((one, at) => figuresIn(one, `${place}[${at}]`))
  if (!isRecord(answer)) return []
  const { url, count: rows, kg } = answer
  const isFigure = typeof url === 'string' && (typeof rows === 'number' || typeof kg === 'string')
  const own = {
    place,
    url: String(url),
    count: typeof rows === 'number' ? rows : null,
    kg: typeof kg === 'string' ? kg : null,
  }
  return [
    ...(isFigure ? [own] : []),
    ...Object.entries(answer).flatMap(([key, value]) => figuresIn(value, `${place}.${key}`)),
  ]
}

/** Whether answers of a schema have figures with paths. */
function hasFigures(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasFigures)
  if (!isRecord(schema)) return false
  const { properties } = schema
  const isFigure =
    isRecord(properties) && 'url' in properties && ('count' in properties || 'kg' in properties)
  return isFigure || Object.values(schema).some(hasFigures)
}

/** A preview of a change that someone asks for; test/api/pricing/reduction-limits.test.ts follows its path. */
const PREVIEWS: ReadonlySet<string> = new Set(['ruleRequests.effect'])

/** Every call that answers with figures, found by its contract. */
const CALLS = listEndpoints(contract).filter(
  ({ name, endpoint }) =>
    endpoint.method === 'GET' &&
    !PREVIEWS.has(name) &&
    hasFigures(z.toJSONSchema(endpoint.output, { io: 'output', unrepresentable: 'any' })),
)

/** All days that a report may be asked for. */
const PERIOD = { from: '2026-10-20', to: '2026-11-18' }

/** The inputs of such a call: none, a period, or each inventory. */
async function inputsOf(caller: Caller, { input }: Endpoint): Promise<object[]> {
  if (input.safeParse({}).success) return [{}]
  if (input.safeParse(PERIOD).success) return [PERIOD]
  const inventories = await answerOf(caller, carbonInventories.list, { pageSize: 200 })
  const inputs = Ids.parse(inventories ?? { results: [] }).results.map(({ id }) => ({ inventoryId: id }))
  if (inputs.some((one) => !input.safeParse(one).success)) throw new Error('Say which inputs this call has.')
  return inputs
}

/** The answer of a call; null if the caller may not make it. */
async function answerOf(caller: Caller, endpoint: Endpoint, input: object): Promise<unknown> {
  try {
    return await caller.call(endpoint, input)
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return null
    throw error
  }
}

type Compared = { claimed: string[]; opened: string[] }

/** What each figure says, and what its path opens: `place path: rows or kg`. */
async function compareFigures(caller: Caller): Promise<Compared> {
  const compared: Compared = { claimed: [], opened: [] }
  for (const { name, endpoint } of CALLS) {
    for (const input of await inputsOf(caller, endpoint)) {
      for (const figure of figuresIn(await answerOf(caller, endpoint, input), name)) {
        const found = await open(caller, figure.url)
        const [says, shows] = figure.kg === null ? [figure.count, found.count] : [figure.kg, found.kg]
        compared.claimed.push(`${figure.place} ${figure.url}: ${says}`)
        compared.opened.push(`${figure.place} ${figure.url}: ${shows}`)
      }
    }
  }
  return compared
}

/** The number of each saved view, and of the rows that it shows. */
async function compareViews(caller: Caller): Promise<Compared> {
  const compared: Compared = { claimed: [], opened: [] }
  for (const { list, endpoint } of [...LISTS.values()].flat()) {
    const asked = { list: list.key }
    const found = await answerOf(caller, views.list, asked)
    if (found === null) continue
    const counts = await caller.call(views.counts, asked)
    for (const { id, name, state } of View.array().parse(found)) {
      const says = counts[id]
      if (says === null || says === undefined) continue
      const { filter, search } = state
      const { count: shows } = await count(caller, endpoint, {
        ...(filter !== undefined && { filter }),
        ...(search !== undefined && { search }),
      })
      compared.claimed.push(`${list.key} "${name}": ${says}`)
      compared.opened.push(`${list.key} "${name}": ${shows}`)
    }
  }
  return compared
}

/** The submissions of each form, and the rows of each feed run by outcome, which link to their lists in their own words. */
async function compareParts(caller: Caller): Promise<Compared> {
  const compared: Compared = { claimed: [], opened: [] }
  const all = await answerOf(caller, forms.list, { pageSize: 200 })
  for (const { name, submissions: claims } of Forms.parse(all ?? { results: [] }).results) {
    const { count: shows } = await count(caller, submissions.list, { filter: countedSubmissions(name) })
    compared.claimed.push(`submissions of ${name}: ${claims}`)
    compared.opened.push(`submissions of ${name}: ${shows}`)
  }
  const runs = await answerOf(caller, feedRuns.list, { pageSize: 200 })
  for (const { id } of Ids.parse(runs ?? { results: [] }).results) {
    for (const { title, total, kind, state, asks } of viewsOf(await caller.call(feedRuns.get, { id }))) {
      const which = { ...(kind && { kind }), ...(state && { state }), ...(asks && { asks }) }
      const { filteredRows } = await caller.call(feedRuns.rows, { runId: id, ...which, pageSize: 1 })
      compared.claimed.push(`feed run ${id}, ${title}: ${total}`)
      compared.opened.push(`feed run ${id}, ${title}: ${filteredRows}`)
    }
  }
  return compared
}

/** The lines of the totals of each inventory, or of those that are drawn, and what their results add up to. */
async function compareTotals(caller: Caller, draw: Draw): Promise<Compared> {
  const compared: Compared = { claimed: [], opened: [] }
  const inventories = await answerOf(caller, carbonInventories.list, { pageSize: 200 })
  for (const { id: inventory } of draw('inventories', Ids.parse(inventories).results, 2)) {
    const { total, scopes, facilities, sources, months } = await caller.call(ledger.totals, {
      inventoryId: inventory,
    })
    const lines = [
      { by: 'all' as const, key: '', of: total },
      ...scopes.map((of) => ({ by: 'scope' as const, key: of.key, of })),
      ...facilities.map((of) => ({ by: 'facility' as const, key: of.key, of })),
      ...sources.map((of) => ({ by: 'source' as const, key: of.key, of })),
      ...months.map((of) => ({ by: 'month' as const, key: of.key, of })),
    ]
    for (const { by, key, of } of draw(`lines of ${inventory}`, lines, 3)) {
      for (const method of SCOPE2_METHODS) {
        const line = lineText({ by, key })
        const { kg } = await openResults(caller, new URLSearchParams({ inventory, line, method }))
        compared.claimed.push(`inventory ${inventory}, ${line}, ${method}: ${plain(new Decimal(of[method]))}`)
        compared.opened.push(`inventory ${inventory}, ${line}, ${method}: ${kg}`)
      }
    }
  }
  return compared
}

/** A user, in their only organization or in one of several. */
export type Viewer = Readonly<{ userName: string; organization?: string }>

/**
 * Tests for some users that every figure with a path opens exactly the rows that it counts, and that every saved view has the
 * rows that its number says: before and after an organization was archived. `draw`: which lines of the totals.
 * @returns the product, for further tests in the same file
 */
export function describeFigures(viewers: readonly Viewer[], draw: Draw): () => TestApp {
  let forecourt: TestApp
  beforeAll(async () => {
    forecourt = await testApp()
    await addEdges(await forecourt.as('northgate.admin', 'Northgate Ford'))
  })
  afterAll(() => forecourt.close())

  const seen = new Set<string>()
  const compareAll = async ({ userName, organization }: Viewer): Promise<Compared> => {
    const caller = await forecourt.as(userName, organization)
    const all: Compared = { claimed: [], opened: [] }
    for (const compare of [compareFigures, compareViews, compareParts]) {
      const { claimed, opened } = await compare(caller)
      all.claimed.push(...claimed)
      all.opened.push(...opened)
    }
    for (const { name } of CALLS) if (all.claimed.some((one) => one.startsWith(name))) seen.add(name)
    return all
  }

  test.for(viewers)('every figure opens exactly its rows: $userName', async (viewer) => {
    const { claimed, opened } = await compareAll(viewer)
    expect(opened).toEqual(claimed)
  })

  test('every line of the totals opens results that add up to it', async () => {
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const { claimed, opened } = await compareTotals(admin, draw)
    expect(claimed.length).toBeGreaterThan(4)
    expect(opened).toEqual(claimed)
  })

  test('every call that has figures was among them', () => {
    expect([...seen].toSorted()).toEqual(CALLS.map(({ name }) => name).toSorted())
  })

  test('figures still open exactly their rows after an organization was archived', async () => {
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const toyota = (await admin.call(organizations.list, { search: 'Northgate Toyota' })).results?.[0]
    await admin.call(organizations.archive, { id: toyota?.id ?? '' })
    const { claimed, opened } = await compareFigures(admin)
    expect(opened).toEqual(claimed)
  })
  return () => forecourt
}

/** Vehicles at the edges of the words: each is left out of one figure and not of another. */
async function addEdges(admin: Caller): Promise<void> {
  const lot = { type: 'used', name: 'Edge lot' } as const
  const shown = await admin.call(lots.add, { ...lot, code: 'EDGE1' })
  const hidden = await admin.call(lots.add, { ...lot, code: 'EDGE2', isPublic: false })
  const photos = [{ kind: 'address' as const, place: 'https://img.example/1.jpg', alt: '' }]
  const whole = {
    lotId: shown.id,
    status: 'live' as const,
    year: 2023,
    make: 'Ford',
    model: 'Edge',
    priceCents: 2_000_000,
    photos,
  }
  const edges = [
    {},
    { lotId: hidden.id },
    { priceCents: 0 },
    { photos: [] },
    { status: 'pending' as const },
    { status: 'hold' as const, inStockOn: '2026-01-01' },
    { status: 'incoming' as const, inStockOn: '2026-12-24' },
    { status: 'preparing' as const },
    { status: 'sold' as const, inStockOn: '2026-01-01' },
    { status: 'wholesale' as const },
  ]
  for (const [at, edge] of edges.entries())
    await admin.call(vehicles.add, { ...whole, ...edge, stock: `EDGE-${at}` })
}
