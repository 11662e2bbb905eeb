import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import {
  MOST_MEMBERS,
  type OrganizationMember,
  type organizationProfiles,
} from '#contract/organizations/profile/profiles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { dropUnusedPictures, holdPictures, savePicture } from '#server/identity/index.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { createOrganization, requireFreeName } from '../organizations.ts'
import { readProfile } from './profile-rows.ts'
import { requireReach } from '../reached.ts'

type Change = Omit<Received<typeof organizationProfiles.update>, 'id' | 'version'>

/** Organizations as their wizard keeps them. */
export const organizationProfileHandlers: Handlers<typeof organizationProfiles> = {
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
      order by u.is_active desc, lower(u.last_name), lower(u.first_name), u.id limit ${sql.lit(MOST_MEMBERS)}`.execute(
      db,
    )
    return rows
  },

  async add({ db, actor, input }) {
    requireCustomerReach(actor, 'Organizations are added')
    const { name, logo = null, timeZone, ...profile } = input
    await holdPictures(db, actor.customerId)
    const kept = await saveLogo(db, logo, null)
    const { id } = await createOrganization(db, actor, { name, logo: kept, timeZone })
    await changeProfile(db, id, profile)
    return readProfile(db, actor, id)
  },

  async update({ db, actor, input: { id, version, ...change } }) {
    if (change.logo !== undefined) await holdPictures(db, actor.customerId)
    // Held while we look: two people who save at once come one after the other.
    await db.selectFrom('organizations').select('id').where('id', '=', id).forUpdate().execute()
    const current = await readProfile(db, actor, id)
    if (version !== undefined && version !== current.version) throw stale('This organization', current)
    const { name, logo, timeZone, ...profile } = change
    await rename(db, actor, { name, logo, timeZone }, current)
    await changeProfile(db, id, profile)
    return readProfile(db, actor, id)
  },
}

/** Writes what was sent of a profile; what was not sent stays. */
export async function changeProfile(
  db: Database,
  organizationId: string,
  { contacts, ...columns }: Omit<Change, 'name' | 'logo' | 'timeZone'>,
): Promise<void> {
  const values = { ...columns, ...(contacts && { contacts: JSON.stringify(contacts) }) }
  await db
    .insertInto('organizationProfiles')
    .values({ organizationId, ...values })
    // An update needs at least one column, even where no field was sent.
    .onConflict((on) =>
      on
        .columns(['customerId', 'organizationId'])
        .doUpdateSet({ version: sql`organization_profiles.version`, ...values }),
    )
    .execute()
}

type Names = { id: string; name: string; logo: string | null; timeZone: string }

/** What everybody in the customer sees of an organization is not for people of one rooftop to change. */
async function rename(
  db: Database,
  actor: Member,
  wanted: Pick<Change, 'name' | 'logo' | 'timeZone'>,
  current: Names,
): Promise<void> {
  const { name = current.name, logo = current.logo, timeZone = current.timeZone } = wanted
  if (name === current.name && logo === current.logo && timeZone === current.timeZone) return
  requireCustomerReach(actor, 'Name, logo and time zone are kept')
  const kept = await saveLogo(db, logo, current.logo)
  await requireFreeName(
    db
      .updateTable('organizations')
      .set({ name, logo: kept, timeZone })
      .where('id', '=', current.id)
      .execute(),
  )
  if (kept !== current.logo) await dropUnusedPictures(db, actor.customerId)
}

/** A picture goes where those of domains are kept, and travels by its address from then on. */
async function saveLogo(db: Database, logo: string | null, current: string | null): Promise<string | null> {
  if (!logo?.startsWith('data:')) return logo
  return savePicture(db, { field: 'logo', picture: logo, current })
}
