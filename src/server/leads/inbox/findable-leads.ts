import { sql } from 'kysely'
import { leads } from '#contract/leads/inbox/leads.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import { leadSource, personTitle } from './lead-source.ts'

/** Searched by number, vehicle and VIN. */
export const findableLeads: FoundKind = {
  kind: 'lead',
  permission: leads.list.allow,
  source: leadSource,
  about: sql`concat_ws(', ', l.vehicle_title, l.source_name, 'lead ' || l.id)`,
  path: (id) => `/customers/leads?queue=all&lead=${id}`,
}

/** Searched by name, email address and phone number; opens their leads. */
export const findableBuyers: FoundKind = {
  kind: 'buyer',
  permission: leads.list.allow,
  source: {
    from: sql`people p`,
    // Not those who are kept only because they asked not to be contacted.
    within: (actor) =>
      sql`p.customer_id = ${actor.customerId} and (p.name is not null
        or exists (select from leads l where l.person_id = p.id))`,
    id: sql`p.id`,
    title: personTitle,
  },
  about: sql`concat_ws(', ', p.email, p.phone)`,
  path: (id) => `/customers/leads?queue=all&person=${id}`,
}
