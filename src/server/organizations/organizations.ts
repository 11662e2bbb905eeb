import { sql } from 'kysely'
import { organizations } from '#contract/organizations/organizations.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, stale } from '#server/http/failure.ts'
import { requirePermission } from '#server/http/require-permission.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { listSwitchChoices, type Identity } from '#server/identity/index.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { archiveOrganization, restoreOrganization } from './archive.ts'
import { organizationSource, ROW_FIGURES } from './organization-source.ts'
import { readProfile } from './profile/profile-rows.ts'

/**
 * What another time zone of an organization requires because it moves when prices change; pricing decides. Called before
 * anything is written.
 * @throws Failure 409 on `approval` or `confirmPrices`
 */
export type ZoneConsent = (
  db: Database,
  actor: Member,
  change: { id: string; timeZone: string },
  confirmPrices: boolean,
) => Promise<void>

const shown = ['id', 'name', 'logo', 'timeZone', 'version'] as const

/** Organizations in the search palette, found by name. */
export const findableOrganizations: FoundKind = {
  kind: 'organization',
  permission: organizations.list.allow,
  source: organizationSource,
  about: sql`organizations.time_zone`,
  // An organization outside the user's reach has a name but no page.
  path: (id, { reach, organizationId }) =>
    reach === 'customer' || id === organizationId ? `/organizations/${id}` : '/organizations',
}

/** Every member may read the names of the customer's organizations; changing them requires function 5. */
export function organizationHandlers(
  { iam }: Identity,
  requireZoneConsent: ZoneConsent,
): Handlers<typeof organizations> {
  return {
    all: ({ db }) => db.selectFrom('organizations').select(shown).orderBy('nameKey').execute(),

    async list({ db, actor, input }) {
      const { ids, ...counts } = await readPage(db, actor, organizationSource, input)
      const rows = await db
        .selectFrom('organizations')
        .select(shown)
        .select([
          ROW_FIGURES.country.as('country'),
          ROW_FIGURES.facilities.as('facilities'),
          ROW_FIGURES.people.as('people'),
          ROW_FIGURES.progress.as('progress'),
          ROW_FIGURES.status.as('status'),
        ])
        .where('customerId', '=', actor.customerId)
        .where(isOneOf(organizationSource, ids))
        .execute()
      return { ...counts, results: inOrder(ids, rows) }
    },

    listAll: ({ db }) => db.selectFrom('organizations').select(['id', 'name']).orderBy('nameKey').execute(),

    async change({ actor }) {
      const of = { customerId: actor.effectiveCustomerId, userId: actor.effectiveUserId }
      const choices = await listSwitchChoices(iam, of)
      return choices.map((choice) => ({ ...choice, isCurrent: choice.id === actor.organizationId }))
    },

    get: ({ db, input }) => readOrganization(db, input.id),

    async save({ db, actor, input }) {
      const { id, version, confirmPrices, ...fields } = input
      requireOperation(actor, id ? Opr.update : Opr.create)
      if (!id) return createOrganization(db, actor, fields)
      if (fields.timeZone !== undefined)
        await requireZoneConsent(db, actor, { id, timeZone: fields.timeZone }, confirmPrices)
      const change = db.updateTable('organizations').set(fields).where('id', '=', id).returning('id')
      const changed = await requireFreeName(
        (version === undefined ? change : change.where('version', '=', version)).executeTakeFirst(),
      )
      const current = await readOrganization(db, id)
      if (changed === undefined) throw stale('This organization', current)
      return current
    },

    async remove({ db, actor, input }) {
      requireOperation(actor, Opr.delete)
      // Locked before the check, so that no lot is added to it in between.
      const found = await db
        .selectFrom('organizations')
        .select('name')
        .where('id', '=', input.id)
        .forUpdate()
        .executeTakeFirst()
      if (found === undefined) throw notFound('Organization')
      const current = await readProfile(db, actor, input.id)
      if (input.version !== undefined && input.version !== current.version)
        throw stale('This organization', current)
      await refuseInUse(db, actor, input.id, found.name)
      await db.deleteFrom('memberships').where('organizationId', '=', input.id).execute()
      await db.deleteFrom('organizations').where('id', '=', input.id).execute()
      return null
    },

    async archive({ db, actor, input: { id } }) {
      requireOperation(actor, Opr.delete)
      return archiveOrganization(db, actor, id)
    },

    async restore({ db, actor, input: { id } }) {
      requireOperation(actor, Opr.delete)
      return restoreOrganization(db, id)
    },
  }
}

function requireOperation(
  actor: Member,
  opr: typeof Opr.create | typeof Opr.update | typeof Opr.delete,
): void {
  requirePermission(actor, can(Func.organizations, opr))
  // A user with the reach of one organization couldn't open the one they added, and must not change others.
  requireCustomerReach(actor, 'Organizations can only be changed')
}

/** Creates an organization. Its creator becomes a member, so that they can switch to it right away. */
export async function createOrganization(
  db: Database,
  actor: Member,
  fields: { name: string; logo?: string | null | undefined; timeZone?: string | undefined },
) {
  // Without a time zone, the organization is where its company is.
  const { timeZone } = await db
    .selectFrom('customers')
    .select('timeZone')
    .where('id', '=', actor.customerId)
    .executeTakeFirstOrThrow()
  const values = { ...fields, timeZone: fields.timeZone ?? timeZone }
  const created = await requireFreeName(
    db.insertInto('organizations').values(values).returning(shown).executeTakeFirstOrThrow(),
  )
  if (actor.effectiveCustomerId === actor.customerId) {
    await db
      .insertInto('memberships')
      .values({ userId: actor.effectiveUserId, organizationId: created.id })
      .execute()
  }
  return created
}

/** Sets the time zone of an organization. @throws Failure 403 for users of one organization, 404 */
export async function setTimeZone(
  db: Database,
  actor: Member,
  { id, timeZone }: { id: string; timeZone: string },
): Promise<void> {
  requireCustomerReach(actor, 'Time zones can only be changed')
  const { numUpdatedRows } = await db
    .updateTable('organizations')
    .set({ timeZone })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw notFound('Organization')
}

/** Its name, logo and time zone. @throws Failure 404 */
export async function readOrganization(db: Database, id: string) {
  const found = await db.selectFrom('organizations').select(shown).where('id', '=', id).executeTakeFirst()
  if (found === undefined) throw notFound('Organization')
  return found
}

async function refuseInUse(db: Database, actor: Member, id: string, name: string): Promise<void> {
  if (id === actor.organizationId) {
    throw conflict(`You are working in ${name}. Switch to another organization before you delete it.`)
  }
  const { lots, facilities, people } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('facilities')
        .where('organizationId', '=', id)
        .select(sql<string>`count(*)`.as('n'))
        .as('facilities'),
      eb
        .selectFrom('lots')
        .where('organizationId', '=', id)
        .select(sql<string>`count(*)`.as('n'))
        .as('lots'),
      eb
        .selectFrom('memberships')
        .where('organizationId', '=', id)
        .where('userId', '!=', actor.effectiveUserId)
        .select(sql<string>`count(*)`.as('n'))
        .as('people'),
    ])
    .executeTakeFirstOrThrow()
  const uses = [
    countOf(Number(lots), 'lot', 'lots'),
    countOf(Number(facilities), 'facility', 'facilities'),
    countOf(Number(people), 'person', 'people'),
  ].filter(Boolean)
  if (uses.length > 0)
    throw conflict(
      `${name} has ${uses.join(', ').replace(/, (?=[^,]*$)/, ' and ')}. Move everything to another organization before you delete it.`,
    )
}

function countOf(count: number, one: string, many: string): string {
  if (count === 0) return ''
  return count === 1 ? `1 ${one}` : `${count} ${many}`
}

/** Turns constraint violations of the database into messages for the form. @throws Failure 409 */
export async function requireFreeName<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another organization already has this name.', { name: 'This name is already in use.' })
    }
    if (isViolation(error, 'foreign key')) throw conflict('This organization is in use.')
    throw error
  }
}
