import { sql } from 'kysely'
import { LOT_LIST, LOT_RULES } from '#contract/customers/lots/lots.ts'
import { type dashboard, FIRST_STEPS } from '#contract/home/dashboard.ts'
import { listUrl } from '#server/lists/list-url.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import { readDueAssessments } from '#server/assessments/index.ts'
import { lotTable } from '#server/customers/index.ts'
import type { AsOwner, Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { ruleOf } from '#server/lists/rule-of.ts'
import { readCarbonFigures } from './carbon-decisions.ts'
import { countStock } from './count-stock.ts'
import { readDecisions } from './decisions.ts'
import { latestChanges } from './latest-changes.ts'

type Platform = { asOwner: AsOwner; publicUrl: string | null }

/** Figures within the caller's reach, without anything they can't list. */
export const dashboardHandlers = (platform: Platform): Handlers<typeof dashboard> => ({
  async get({ db, actor }) {
    const [organization, lots, assessments, changes, firstSteps] = await Promise.all([
      db
        .selectFrom('organizations')
        .select(['id', 'name', 'logo', 'timeZone', 'version'])
        .where('id', '=', actor.organizationId)
        .executeTakeFirst(),
      actor.may(can(Func.lots, Opr.list)) ? countLots(db, actor) : null,
      actor.may(can(Func.assessments, Opr.list)) ? readDueAssessments(db, actor) : null,
      latestChanges(db, actor),
      readFirstSteps(db, actor, platform),
    ])
    if (organization === undefined) throw notFound('Organization')
    return { organization, lots, assessments, changes, firstSteps }
  },

  decisions: readDecisions,
  stock: countStock,
  carbon: readCarbonFigures,
})

/** The permission that a step takes. */
const STEP_NEEDS: Record<(typeof FIRST_STEPS)[number], Permission> = {
  details: can(Func.customerDetails, Opr.update),
  lots: can(Func.lots, Opr.create),
  people: can(Func.users, Opr.create),
  feed: can(Func.vehicles, Opr.create),
  mail: can(Func.emailHandlers, Opr.create),
  domain: can(Func.whiteLabel, Opr.create),
  inventory: can(Func.carbonStart, Opr.create),
  address: can(Func.customers, Opr.create),
  customer: can(Func.customers, Opr.create),
}
/** A platform has no vehicles of its own. */
const PLATFORM_STEPS = ['people', 'mail', 'address', 'customer'] as const
const CUSTOMER_STEPS = FIRST_STEPS.filter((step) => step !== 'address' && step !== 'customer')

async function readFirstSteps(db: Database, actor: Member, { asOwner, publicUrl }: Platform) {
  if (actor.reach !== 'customer') return []
  const { isPlatform, ...done } = await db
    .selectFrom('customers as c')
    .where('c.id', '=', actor.customerId)
    .select([
      'c.isPlatform',
      sql<boolean>`jsonb_array_length(c.contacts) > 0`.as('details'),
      sql<boolean>`exists (select from lots)`.as('lots'),
      sql<boolean>`(select count(*) > 1 from users u where u.customer_id = c.id)`.as('people'),
      // Vehicles may also be typed in.
      sql<boolean>`exists (select from feed_sources) or exists (select from vehicles)`.as('feed'),
      sql<boolean>`exists (select from email_handlers where is_default and kind <> 'outbox')`.as('mail'),
      sql<boolean>`exists (select from white_labels where verified_at is not null)`.as('domain'),
      sql<boolean>`exists (select from carbon_inventories)`.as('inventory'),
    ])
    .executeTakeFirstOrThrow()
  const hasCustomer = isPlatform && (await asOwner(countOthers))
  const isDone = { ...done, address: publicUrl !== null, customer: hasCustomer }
  const steps = (isPlatform ? PLATFORM_STEPS : CUSTOMER_STEPS)
    .filter((step) => actor.may(STEP_NEEDS[step]))
    .map((step) => ({ step, isDone: isDone[step] }))
  return steps.every((step) => step.isDone) ? [] : steps
}

async function countOthers(db: Database): Promise<boolean> {
  const other = await db
    .selectFrom('customers')
    .select('id')
    .where('isPlatform', '=', false)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Lots within reach, counted by the rules of the lists that the figures open. */
async function countLots(db: Database, actor: Member) {
  const is = (rule: 'visible' | 'withoutAddress') => ruleOf(lotTable.source, actor, LOT_RULES[rule]).isMatch
  const rows = await db
    .selectFrom('lots')
    .innerJoin('organizations', (join) =>
      join
        .onRef('organizations.customerId', '=', 'lots.customerId')
        .onRef('organizations.id', '=', 'lots.organizationId'),
    )
    .where('lots.customerId', '=', actor.customerId)
    .groupBy(['organizations.id', 'organizations.name', 'lots.type'])
    .orderBy('organizations.name')
    .select([
      'organizations.id',
      'organizations.name',
      'lots.type',
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) filter (where ${is('visible')}))::int`.as('visible'),
      sql<number>`(count(*) filter (where ${is('withoutAddress')}))::int`.as('withoutAddress'),
    ])
    .execute()
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    total: { count: sum((row) => row.count), url: listUrl(LOT_LIST, LOT_RULES.all) },
    public: { count: sum((row) => row.visible), url: listUrl(LOT_LIST, LOT_RULES.visible) },
    withoutAddress: {
      count: sum((row) => row.withoutAddress),
      url: listUrl(LOT_LIST, LOT_RULES.withoutAddress),
    },
    byType: [...Map.groupBy(rows, (row) => row.type)].map(([type, group]) => ({
      type,
      count: group.reduce((total, row) => total + row.count, 0),
    })),
    byOrganization: [...Map.groupBy(rows, (row) => row.id)].map(([id, group]) => ({
      id,
      name: group[0]?.name ?? '',
      count: group.reduce((total, row) => total + row.count, 0),
    })),
  }
}
