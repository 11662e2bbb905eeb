import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import type {
  CarbonGroup,
  carbonGroup,
  GroupScope,
  LeftOut,
  SummedInventory,
} from '#contract/carbon/results/group.ts'
import type { InventoryFigures } from '#contract/carbon/inventories/inventories.ts'
import type { Received } from '#contract/endpoint.ts'
import { type Database, inTenant } from '#server/database/tenant-transaction.ts'
import type { DB } from '#server/database/schema.ts'
import type { Member } from '#server/http/actor.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import type { Handlers } from '#server/http/serve.ts'
import { listSwitchChoices } from '#server/identity/index.ts'
import { readFigures } from '../../inventories/coverage.ts'
import { readMainScopes, SCOPE_ORDER } from '../main-scopes.ts'
import { chooseInventories, type GroupCandidate, latestYear, usualBoundary, yearOf } from './choose-group.ts'

type Parts = { pool: pg.Pool; iam: Kysely<DB> }
type Organization = { id: string; name: string }
/** Runs a query within one organization. */
type Within = <T>(organizationId: string, work: (db: Database) => Promise<T>) => Promise<T>

/** The sum over the organizations a user belongs to. */
export function groupHandlers(parts: Parts): Handlers<typeof carbonGroup> {
  return {
    async get({ db, actor, input }) {
      const organizations = await readOrganizations(db, actor, parts)
      return readGroup(organizations, { actor, input, within: withinEach(db, actor, parts) })
    },
  }
}

/** The organizations a user can access: all of the customer's, or their memberships. Their permissions are the same in each. */
async function readOrganizations(db: Database, actor: Member, { iam }: Parts): Promise<Organization[]> {
  if (actor.reach === 'customer')
    return db.selectFrom('organizations').select(['id', 'name']).orderBy('nameKey').execute()
  const here = { id: actor.organizationId, name: actor.organizationName }
  // Platform staff aren't members of these organizations, so they see only the current one.
  if (actor.isPlatformStaff) return [here]
  const of = { customerId: actor.effectiveCustomerId, userId: actor.effectiveUserId }
  const choices = await listSwitchChoices(iam, of)
  return choices.filter(({ customerId }) => customerId === actor.customerId)
}

/** Users who can access one organization at a time read each one in its own transaction, so that row-level security applies. */
function withinEach(db: Database, actor: Member, { pool }: Parts): Within {
  if (actor.reach === 'customer') return (_organizationId, work) => work(db)
  const scope = scopeOf(actor, { endpoint: 'carbonGroup.get', isReadOnly: true })
  return (organizationId, work) => inTenant(pool, { ...scope, organizationId }, work)
}

type GroupRequest = { actor: Member; input: Received<typeof carbonGroup.get>; within: Within }

async function readGroup(
  organizations: readonly Organization[],
  { actor, input, within }: GroupRequest,
): Promise<CarbonGroup> {
  const all: GroupCandidate[] = []
  for (const { id } of organizations) all.push(...(await within(id, (db) => readCandidates(db, id))))
  const year = input.year ?? latestYear(all)
  const boundary = input.boundary ?? usualBoundary(all, year)
  const isHere = (organizationId: string) =>
    actor.reach === 'customer' || organizationId === actor.organizationId
  const summed: SummedInventory[] = []
  const left: LeftOut[] = []
  for (const { id: organizationId, name: organizationName } of year === null ? [] : organizations) {
    const of = { organizationId, organizationName, isHere: isHere(organizationId) }
    const own = all.filter((one) => one.organizationId === organizationId)
    const chosen = chooseInventories(own, { year: year ?? 0, boundary })
    left.push(...chosen.left.map((one) => ({ ...one, ...of })))
    if (chosen.summed.length > 0)
      summed.push(...(await within(organizationId, (db) => readSummed(db, chosen.summed, of))))
  }
  return {
    year,
    boundary,
    years: [...new Set(all.map(yearOf))].toSorted((one, other) => other - one),
    organizations: organizations.length,
    organizationsSummed: new Set(summed.map(({ organizationId }) => organizationId)).size,
    total: sumFigures(summed.map(({ figures }) => figures)),
    scopes: sumScopes(summed.flatMap(({ scopes }) => scopes)),
    summed,
    left,
    notes: groupNotes(summed),
  }
}

async function readCandidates(db: Database, organizationId: string): Promise<GroupCandidate[]> {
  const { rows } = await sql<GroupCandidate>`
    select id::text, organization_id::text, name, period_start::text, period_end::text, boundary, status, gwp_set,
      restates_id::text
    from carbon_inventories where organization_id = ${organizationId} order by period_start, id`.execute(db)
  return rows
}

async function readSummed(
  db: Database,
  chosen: readonly GroupCandidate[],
  of: Pick<SummedInventory, 'organizationId' | 'organizationName' | 'isHere'>,
): Promise<SummedInventory[]> {
  const ids = chosen.map(({ id }) => id)
  const figures = await readFigures(db, ids)
  const scopes = await readMainScopes(db, ids)
  return chosen.map(({ id, name, periodStart, periodEnd, status, gwpSet }) => ({
    ...of,
    id,
    name,
    periodStart,
    periodEnd,
    status,
    gwpSet,
    figures: figures.get(id) ?? sumFigures([]),
    scopes: scopes.get(id) ?? [],
  }))
}

const add = (figures: readonly string[]): string =>
  plain(figures.reduce((sum, figure) => sum.plus(figure), new Figure(0)))

function sumFigures(all: readonly InventoryFigures[]): InventoryFigures {
  const count = (of: (one: InventoryFigures) => number): number => all.reduce((sum, one) => sum + of(one), 0)
  return {
    location: add(all.map(({ location }) => location)),
    market: add(all.map(({ market }) => market)),
    imported: add(all.map(({ imported }) => imported)),
    importedMarket: add(all.map(({ importedMarket }) => importedMarket)),
    missing: count(({ missing }) => missing),
    expected: count(({ expected }) => expected),
    there: count(({ there }) => there),
    points: count(({ points }) => points),
    categories: count(({ categories }) => categories),
  }
}

function sumScopes(lines: readonly GroupScope[]): GroupScope[] {
  return SCOPE_ORDER.flatMap((key): GroupScope[] => {
    const own = lines.filter((line) => line.key === key)
    const [first] = own
    if (first === undefined) return []
    const location = add(own.map((line) => line.location))
    return [{ key, title: first.title, location, market: add(own.map((line) => line.market)) }]
  })
}

/** Notes on how to read a sum over inventories. */
function groupNotes(summed: readonly SummedInventory[]): string[] {
  const periods = new Set(summed.map(({ periodStart, periodEnd }) => `${periodStart} to ${periodEnd}`))
  const sets = [...new Set(summed.map(({ gwpSet }) => gwpSet))].toSorted()
  const missing = summed.filter(({ figures }) => figures.missing > 0)
  const perOrganization = Map.groupBy(summed, ({ organizationId }) => organizationId)
  return [
    ...[...perOrganization.values()].flatMap((own) => {
      const [first] = own
      return first === undefined || own.length === 1
        ? []
        : [
            `${first.organizationName} has ${own.length} inventories that end in this year. All of them are included.`,
          ]
    }),
    ...(periods.size > 1 ? ['Not all inventories have the same period.'] : []),
    ...(sets.length > 1 ? [`The inventories use different GWP sets: ${sets.join(', ')}.`] : []),
    ...(missing.length > 0
      ? [
          `Some records have no result in: ${missing.map(({ name }) => name).join(', ')}. The actual sum is higher.`,
        ]
      : []),
  ]
}
