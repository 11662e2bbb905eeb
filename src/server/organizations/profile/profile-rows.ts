import { sql } from 'kysely'
import {
  REQUIRED_FIELDS,
  stepsOf,
  type OrganizationProfile,
} from '#contract/organizations/profile/profiles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { isIncomplete } from '../organization-source.ts'

/** The columns read from the database, without derived fields. */
type Row = Omit<OrganizationProfile, 'steps' | 'mayRename'> & { incomplete: number }

/**
 * One organization with its profile and counts.
 * @throws Failure 404 if it is outside the caller's reach.
 */
export async function readProfile(db: Database, actor: Member, id: string): Promise<OrganizationProfile> {
  const isInReach = actor.reach === 'customer' || id === actor.organizationId
  const row = isInReach ? await readRow(db, actor.customerId, id) : undefined
  if (row === undefined) throw notFound('Organization')
  const { incomplete, ...profile } = row
  const filled = REQUIRED_FIELDS.filter((name) => profile[name] !== null).length
  const { country, facilities } = profile
  return {
    ...profile,
    steps: stepsOf({ filled, hasCountry: country !== null, facilities, incomplete }),
    mayRename: actor.reach === 'customer',
  }
}

async function readRow(db: Database, customerId: string, id: string): Promise<Row | undefined> {
  // Users edit both rows as one record, so its version is the sum of both.
  const { rows } = await sql<Row>`
    select o.id::text, o.name, o.logo, o.time_zone as "timeZone", p.legal_name as "legalName", p.industry, p.country, p.currency,
      p.fiscal_year_start as "fiscalYearStart", p.consolidation, p.address, p.city, p.region,
      o.archived_at as "archivedAt", o.archived_by as "archivedBy", p.postal_code as "postalCode", coalesce(p.contacts, '[]') as contacts, o.version + coalesce(p.version, 0) as version,
      greatest(o.updated_at, p.updated_at) as "updatedAt",
      case when p.updated_at >= o.updated_at then p.updated_by else o.updated_by end as "updatedBy",
      (select count(*)::int from memberships m where m.customer_id = o.customer_id and m.organization_id = o.id) as people,
      f.facilities, f.incomplete
    from organizations o
    left join organization_profiles p on p.customer_id = o.customer_id and p.organization_id = o.id
    cross join lateral (select count(*)::int as facilities, count(*) filter (where ${isIncomplete})::int as incomplete
      from facilities f where f.customer_id = o.customer_id and f.organization_id = o.id) f
    where o.customer_id = ${customerId} and o.id = ${id}`.execute(db)
  return rows[0]
}
