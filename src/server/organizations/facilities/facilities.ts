import { sql, type SqlBool } from 'kysely'
import type { facilities, LotChoice } from '#contract/organizations/facilities/facilities.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readFacilities, readFacility } from './facility-rows.ts'
import { addFacility, changeFacility } from './facility-writes.ts'
import { isReached, requireReach } from '../reached.ts'

/** The facilities of the caller's organization, or of the whole customer if that is their reach. */
export const facilityHandlers: Handlers<typeof facilities> = {
  async tree({ db, actor, input }) {
    await requireReach(db, actor, input.organization)
    return readFacilities(
      db,
      sql<SqlBool>`f.customer_id = ${actor.customerId} and f.organization_id = ${input.organization}`,
    )
  },

  async lots({ db, actor, input }) {
    await requireReach(db, actor, input.organization)
    const { rows } = await sql<LotChoice>`
      select l.id::text, l.code, l.name, f.id::text as "facilityId" from lots l
      left join facilities f on f.customer_id = l.customer_id and f.lot_id = l.id
      where l.customer_id = ${actor.customerId} and l.organization_id = ${input.organization}
      order by l.name, l.id limit 1000`.execute(db)
    return rows
  },

  get: ({ db, input }) => readFacility(db, input.id),

  async add({ db, actor, input }) {
    const organizationId = input.organizationId ?? actor.organizationId
    if (!(await isReached(db, actor, organizationId))) {
      throw refused('Some fields are invalid.', { organizationId: 'Choose one of your organizations.' })
    }
    return addFacility(db, { ...input, organizationId })
  },

  async update({ db, input: { id, version, ...change } }) {
    // Locked before the version check: concurrent saves run one after the other.
    await db.selectFrom('facilities').select('id').where('id', '=', id).forUpdate().execute()
    const current = await readFacility(db, id)
    if (version !== undefined && version !== current.version) throw stale('This facility', current)
    return changeFacility(db, current, change)
  },

  async remove({ db, input }) {
    await requireSeen(db, input, { table: 'facilities', noun: 'facility', read: readFacility })
    const facility = await readFacility(db, input.id)
    const { below } = await db
      .selectFrom('facilities')
      .where('parentId', '=', input.id)
      .where('organizationId', '=', facility.organizationId)
      .select(sql<number>`count(*)::int`.as('below'))
      .executeTakeFirstOrThrow()
    if (below > 0) {
      const rest = below === 1 ? '1 facility. Move or delete it' : `${below} facilities. Move or delete them`
      throw conflict(`${facility.name} contains ${rest} first.`)
    }
    const removal = db.deleteFrom('facilities').where('id', '=', input.id).returning('id').executeTakeFirst()
    const removed = await removal.catch((error: unknown) => {
      throw isViolation(error, 'foreign key')
        ? conflict(`${facility.name} is in use and can't be deleted. Enter its last day in use instead.`)
        : error
    })
    if (removed === undefined) throw notFound('Facility')
    return null
  },
}
