import { sql } from 'kysely'
import type { dashboard } from '#contract/home/dashboard.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { readDueAssessments } from '#server/assessments/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readCarbonFigures } from './carbon-decisions.ts'
import { countStock } from './count-stock.ts'
import { readDecisions } from './decisions.ts'
import { latestChanges } from './latest-changes.ts'

/** Figures within the caller's reach, without anything they can't list. */
export const dashboardHandlers: Handlers<typeof dashboard> = {
  async get({ db, actor }) {
    const [organization, lots, assessments, changes] = await Promise.all([
      db
        .selectFrom('organizations')
        .select(['id', 'name', 'logo', 'timeZone', 'version'])
        .where('id', '=', actor.organizationId)
        .executeTakeFirst(),
      actor.may(can(Func.lots, Opr.list)) ? countLots(db, actor) : null,
      actor.may(can(Func.assessments, Opr.list)) ? readDueAssessments(db, actor) : null,
      latestChanges(db, actor),
    ])
    if (organization === undefined) throw notFound('Organization')
    return { organization, lots, assessments, changes }
  },

  decisions: readDecisions,
  stock: countStock,
  carbon: readCarbonFigures,
}

async function countLots(db: Database, actor: Member) {
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
      sql<number>`(count(*) filter (where lots.is_public))::int`.as('public'),
      sql<number>`(count(*) filter (where lots.address is null))::int`.as('withoutAddress'),
    ])
    .execute()
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    total: sum((row) => row.count),
    public: sum((row) => row.public),
    withoutAddress: sum((row) => row.withoutAddress),
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
