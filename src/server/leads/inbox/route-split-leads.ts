import { sql } from 'kysely'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { SplitPeople } from '../people/merge-people.ts'
import { recordsOfPerson } from '../people/records-of-person.ts'
import { routeReceived } from '../routing/route-lead.ts'
import { readLeadClock, respondBy } from './lead-clock.ts'

type Freed = { id: string; organizationId: string; lotId: string | null }

/**
 * After two people were split, a duplicate whose first lead is the other one's is a lead of its own: its time starts, and it is
 * routed.
 */
export async function routeSplitLeads(db: Database, { keptId, separateId }: SplitPeople): Promise<void> {
  const [kept, separate] = [recordsOfPerson(keptId), recordsOfPerson(separateId)]
  const { rows } = await sql<Freed>`
    select l.id::text, l.organization_id::text, l.lot_id::text from leads l
    join leads f on f.customer_id = l.customer_id and f.id = l.duplicate_of_id
    where l.status = 'duplicate' and (l.person_id = any (${kept}) and f.person_id = any (${separate})
      or l.person_id = any (${separate}) and f.person_id = any (${kept}))
    order by l.id for update of l`.execute(db)
  const now = clock.date()
  for (const lead of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    const leadClock = await readLeadClock(db, lead)
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await db
      .updateTable('leads')
      .set({ status: 'received', duplicateOfId: null, respondBy: respondBy(leadClock, now).toISOString() })
      .where('id', '=', lead.id)
      .execute()
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await routeReceived(db, lead.id, now)
  }
}
