import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import {
  MAX_MEMBERS,
  type OrganizationMember,
  type organizationProfiles,
} from '#contract/organizations/profile/profiles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { dropUnusedPictures, lockPictures, savePicture } from '#server/identity/index.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { createOrganization, requireFreeName, type ZoneConsent } from '../organizations.ts'
import { readProfile } from './profile-rows.ts'
import { requireReach } from '../reached.ts'

type Change = Omit<Received<typeof organizationProfiles.update>, 'id' | 'version'>

/** The endpoints of the organization wizard. */
export const organizationProfileHandlers = (
  requireZoneConsent: ZoneConsent,
): Handlers<typeof organizationProfiles> => ({
  get: ({ db, actor, input }) => readProfile(db, actor, input.id),

  async members({ db, actor, input }) {
    await requireReach(db, actor, input.id)
    const { rows } = await sql<OrganizationMember>`
      select u.id::text, u.first_name || ' ' || u.last_name as name, u.job_title as "jobTitle", t.name as "userTypeName",
        u.is_active as "isActive"
      from memberships m
      join users u on u.customer_id = m.customer_id and u.id = m.user_id
      join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
      where m.customer_id = ${actor.customerId} and m.organization_id = ${input.id}
      order by u.is_active desc, lower(u.last_name), lower(u.first_name), u.id limit ${sql.lit(MAX_MEMBERS)}`.execute(
      db,
    )
    return rows
  },

  async add({ db, actor, input }) {
    requireCustomerReach(actor, 'Organizations can only be added')
    const { name, logo = null, timeZone, ...profile } = input
    await lockPictures(db, actor.customerId)
    const savedLogo = await saveLogo(db, logo, null)
    const { id } = await createOrganization(db, actor, { name, logo: savedLogo, timeZone })
    await changeProfile(db, id, profile)
    return readProfile(db, actor, id)
  },

  async update({ db, actor, input: { id, version, ...change } }) {
    if (change.logo !== undefined) await lockPictures(db, actor.customerId)
    // Locked before the version check: concurrent saves run one after the other.
    await db.selectFrom('organizations').select('id').where('id', '=', id).forUpdate().execute()
    const current = await readProfile(db, actor, id)
    if (version !== undefined && version !== current.version) throw stale('This organization', current)
    const { name, logo, timeZone, confirmPrices, ...profile } = change
    if (timeZone !== undefined && timeZone !== current.timeZone)
      await requireZoneConsent(db, actor, { id, timeZone }, confirmPrices)
    await rename(db, actor, { name, logo, timeZone }, current)
    await changeProfile(db, id, profile)
    return readProfile(db, actor, id)
  },
})

/** Updates the given fields of a profile; the others stay unchanged. */
export async function changeProfile(
  db: Database,
  organizationId: string,
  { contacts, ...columns }: Omit<Change, 'name' | 'logo' | 'timeZone' | 'confirmPrices'>,
): Promise<void> {
  const values = { ...columns, ...(contacts && { contacts: JSON.stringify(contacts) }) }
  await db
    .insertInto('organizationProfiles')
    .values({ organizationId, ...values })
    // An update needs at least one column, even if no field was sent.
    .onConflict((on) =>
      on
        .columns(['customerId', 'organizationId'])
        .doUpdateSet({ version: sql`organization_profiles.version`, ...values }),
    )
    .execute()
}

type Names = { id: string; name: string; logo: string | null; timeZone: string }

/** Changes name, logo and time zone, which all members of the customer see. Requires the reach of the whole customer. */
async function rename(
  db: Database,
  actor: Member,
  change: Pick<Change, 'name' | 'logo' | 'timeZone'>,
  current: Names,
): Promise<void> {
  const { name = current.name, logo = current.logo, timeZone = current.timeZone } = change
  if (name === current.name && logo === current.logo && timeZone === current.timeZone) return
  requireCustomerReach(actor, 'Name, logo and time zone can only be changed')
  const savedLogo = await saveLogo(db, logo, current.logo)
  await requireFreeName(
    db
      .updateTable('organizations')
      .set({ name, logo: savedLogo, timeZone })
      .where('id', '=', current.id)
      .execute(),
  )
  if (savedLogo !== current.logo) await dropUnusedPictures(db, actor.customerId)
}

/** Stores an embedded image with the images of domains, and returns its URL; a URL is returned unchanged. */
async function saveLogo(db: Database, logo: string | null, current: string | null): Promise<string | null> {
  if (!logo?.startsWith('data:')) return logo
  return savePicture(db, { field: 'logo', picture: logo, current })
}
