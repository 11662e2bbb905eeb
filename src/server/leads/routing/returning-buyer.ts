import { sql } from 'kysely'
import type { Returning } from '#contract/leads/routing/choose-lead-destinations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { canWorkOnLeads, isOffToday } from '../inbox/assign-lead.ts'
import { recordsOfPerson } from '../people/records-of-person.ts'
import type { RoutedLead } from './read-facts.ts'

/**
 * The user who last answered the buyer of a lead: one who still works on leads of its store and isn't off. Null if the store doesn't
 * give buyers back to their person.
 */
export async function readReturning(
  db: Database,
  { id, customerId, organizationId, lotId, personId }: RoutedLead,
): Promise<Returning | null> {
  const records = recordsOfPerson(personId)
  const { rows } = await sql<Returning & { isHere: boolean }>`
    with theirs as materialized (select * from leads o where o.customer_id = ${customerId} and o.id <> ${id} and o.person_id = any (${records})),
    answers as (
      select o.first_responder_id as user_id, o.first_response_at as at from theirs o where o.first_responder_id is not null
      union all select m.by_user_id, m.at from lead_messages m join theirs o on o.customer_id = m.customer_id and o.id = m.lead_id
        where m.direction = 'out' and not m.is_automatic and m.by_user_id is not null)
    select u.id::text as user_id, concat_ws(' ', u.first_name, u.last_name) as name,
      u.is_active and ${canWorkOnLeads} and not ${isOffToday} and exists (select from memberships mm where mm.customer_id = u.customer_id
        and mm.user_id = u.id and mm.organization_id = ${organizationId}) as is_here
    from answers a join users u on u.customer_id = ${customerId} and u.id = a.user_id
    where coalesce((select s.returns_to_person from lot_lead_settings s where s.customer_id = ${customerId} and s.lot_id = ${lotId}), true)
    order by a.at desc limit 1`.execute(db)
  const [last] = rows
  return last === undefined || !last.isHere ? null : { userId: last.userId, name: last.name }
}
