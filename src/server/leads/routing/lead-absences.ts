import { sql } from 'kysely'
import { type leadAbsences, MAX_DAYS_OFF } from '#contract/leads/routing/lead-absences.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { canWorkOnLeads, ownUserId } from '../inbox/assign-lead.ts'

const DAY_MS = 86_400_000

/** Who is off: until a day, users get no leads by rules. */
export const leadAbsenceHandlers: Handlers<typeof leadAbsences> = {
  own: async ({ db, actor }) => ({ until: await readAbsence(db, actor, ownUserId(actor)) }),

  async setOwn({ db, actor, input: { until } }) {
    const userId = ownUserId(actor)
    if (userId === null && until !== null) throw conflict('Staff of the platform get no leads by rules.')
    if (userId === null) return { until: null }
    await setAbsence(db, actor, { userId, until })
    return { until: await readAbsence(db, actor, userId) }
  },

  async set({ db, actor, input: { userId, until } }) {
    const { rows } = await sql`
      select from users u where u.customer_id = ${actor.customerId} and u.id = ${userId} and ${canWorkOnLeads}
        and exists (select from memberships m join organizations o on o.customer_id = m.customer_id and o.id = m.organization_id
          where m.customer_id = u.customer_id and m.user_id = u.id
            and ${actor.reach === 'customer' ? sql`true` : sql`o.id = ${actor.organizationId}`})`.execute(db)
    if (rows.length === 0) throw notFound('User')
    await setAbsence(db, actor, { userId, until })
    return { until: await readAbsence(db, actor, userId) }
  },
}

type Owner = Pick<Member, 'customerId' | 'timeZone'>

async function readAbsence(
  db: Database,
  { customerId }: Owner,
  userId: string | null,
): Promise<string | null> {
  const { rows } = await sql<{ until: string }>`
    select a.until::text from lead_absences a join customers c on c.id = a.customer_id
    where a.customer_id = ${customerId} and a.user_id = ${userId} and a.until >= today(c.time_zone)`.execute(
    db,
  )
  return rows[0]?.until ?? null
}

/** @throws Failure 400 if the day is past or too far away. */
async function setAbsence(
  db: Database,
  { customerId }: Owner,
  { userId, until }: { userId: string; until: string | null },
): Promise<void> {
  if (until === null) {
    await db.deleteFrom('leadAbsences').where('userId', '=', userId).execute()
    return
  }
  const { rows } = await sql<{ today: string }>`
    select today(time_zone)::text as today from customers where id = ${customerId}`.execute(db)
  const today = rows[0]?.today ?? clock.date().toISOString().slice(0, 10)
  const day = until === 'today' ? today : until
  const days = (Date.parse(day) - Date.parse(today)) / DAY_MS
  if (days < 0) throw refused('Some fields are invalid.', { until: 'Choose today or a later day.' })
  if (days > MAX_DAYS_OFF)
    throw refused('Some fields are invalid.', { until: `Choose a day within ${MAX_DAYS_OFF} days.` })
  await db
    .insertInto('leadAbsences')
    .values({ userId, until: day })
    .onConflict((on) => on.columns(['customerId', 'userId']).doUpdateSet({ until: day }))
    .execute()
}
