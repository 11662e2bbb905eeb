import { sql } from 'kysely'
import { type LeadAbsence, type leadAbsences, MAX_DAYS_OFF } from '#contract/leads/routing/lead-absences.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { canWorkOnLeads, ownUserId } from '../inbox/assign-lead.ts'

const DAY_MS = 86_400_000

/** Who is off: on these days, users get no leads by rules. */
export const leadAbsenceHandlers: Handlers<typeof leadAbsences> = {
  own: async ({ db, actor }) => readAbsence(db, actor, ownUserId(actor)),

  async setOwn({ db, actor, input }) {
    const userId = ownUserId(actor)
    if (userId === null && input.until !== null)
      throw conflict('Staff of the platform get no leads by rules.')
    if (userId === null) return { from: null, until: null }
    await setAbsence(db, actor, { userId, ...input })
    return readAbsence(db, actor, userId)
  },

  async set({ db, actor, input }) {
    const { userId } = input
    const { rows } = await sql`
      select from users u where u.customer_id = ${actor.customerId} and u.id = ${userId} and ${canWorkOnLeads}
        and exists (select from memberships m join organizations o on o.customer_id = m.customer_id and o.id = m.organization_id
          where m.customer_id = u.customer_id and m.user_id = u.id
            and ${actor.reach === 'customer' ? sql`true` : sql`o.id = ${actor.organizationId}`})`.execute(db)
    if (rows.length === 0) throw notFound('User')
    await setAbsence(db, actor, input)
    return readAbsence(db, actor, userId)
  },
}

type Owner = Pick<Member, 'customerId' | 'timeZone'>

async function readAbsence(db: Database, { customerId }: Owner, userId: string | null): Promise<LeadAbsence> {
  const { rows } = await sql<LeadAbsence>`
    select case when a.from_day > today(c.time_zone) then a.from_day end::text as "from", a.until::text
    from lead_absences a join customers c on c.id = a.customer_id
    where a.customer_id = ${customerId} and a.user_id = ${userId} and a.until >= today(c.time_zone)`.execute(
    db,
  )
  return rows[0] ?? { from: null, until: null }
}

type Days = { userId: string; from?: string | null | undefined; until: string | null }

/** @throws Failure 400 if a day is past or too far away, or the last one is before the first. */
async function setAbsence(
  db: Database,
  { customerId }: Owner,
  { userId, from = null, until }: Days,
): Promise<void> {
  if (until === null) {
    await db.deleteFrom('leadAbsences').where('userId', '=', userId).execute()
    return
  }
  const { rows } = await sql<{ today: string }>`
    select today(time_zone)::text as today from customers where id = ${customerId}`.execute(db)
  const today = rows[0]?.today ?? clock.date().toISOString().slice(0, 10)
  const last = until === 'today' ? today : until
  const days = (Date.parse(last) - Date.parse(today)) / DAY_MS
  const refuse = (fields: Record<string, string>) => refused('Some fields are invalid.', fields)
  if (days < 0) throw refuse({ until: 'Choose today or a later day.' })
  if (days > MAX_DAYS_OFF) throw refuse({ until: `Choose a day within ${MAX_DAYS_OFF} days.` })
  if (from !== null && from > last) throw refuse({ from: 'The first day is after the last one.' })
  const fromDay = from !== null && from > today ? from : null
  await db
    .insertInto('leadAbsences')
    .values({ userId, fromDay, until: last })
    .onConflict((on) => on.columns(['customerId', 'userId']).doUpdateSet({ fromDay, until: last }))
    .execute()
}
