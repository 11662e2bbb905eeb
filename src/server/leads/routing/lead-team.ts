import { sql } from 'kysely'
import { LEAD_LIST, leadRule, ofOwner } from '#contract/leads/inbox/lead-list.ts'
import type { leadTeam } from '#contract/leads/routing/lead-team.ts'
import type { Handlers } from '#server/http/serve.ts'
import { listUrl } from '#server/lists/list-url.ts'
import { ruleOf } from '#server/lists/rule-of.ts'
import { canWorkOnLeads, isOffToday } from '../inbox/assign-lead.ts'
import { leadSource } from '../inbox/lead-source.ts'

type Row = {
  userId: string
  name: string
  canWork: boolean
  isOff: boolean
  from: string | null
  until: string | null
  open: number
  late: number
}

/** Who works on the leads within reach. */
export const leadTeamHandlers: Handlers<typeof leadTeam> = {
  async get({ db, actor }) {
    const { isMatch: isOpen } = ruleOf(leadSource, actor, leadRule({ queue: 'open', filter: '' }))
    const { rows } = await sql<Row>`
      with counted as (
        select l.owner_id, count(*)::int as open, (count(*) filter (where l.waits_until < app_now()))::int as late
        from ${leadSource.from} where ${leadSource.within(actor)} and l.owner_id is not null and ${isOpen} group by 1
      ), here as (
        select distinct m.user_id from memberships m where m.customer_id = ${actor.customerId}
          ${actor.reach === 'customer' ? sql`` : sql`and m.organization_id = ${actor.organizationId}`}
      )
      select u.id::text as user_id, concat_ws(' ', u.first_name, u.last_name) as name, coalesce(c.open, 0) as open, coalesce(c.late, 0) as late,
        u.is_active and ${canWorkOnLeads} and exists (select from here h where h.user_id = u.id) as can_work, ${isOffToday} as is_off,
        case when off.from_day > today(cu.time_zone) then off.from_day end::text as "from", off.until::text as until
      from users u join customers cu on cu.id = u.customer_id
      left join counted c on c.owner_id = u.id
      left join lead_absences off on off.customer_id = u.customer_id and off.user_id = u.id and off.until >= today(cu.time_zone)
      where u.customer_id = ${actor.customerId}
        and (c.open > 0 or (u.is_active and ${canWorkOnLeads} and exists (select from here h where h.user_id = u.id)))
      order by lower(concat_ws(' ', u.first_name, u.last_name)), u.id`.execute(db)
    const teams = await sql<{ id: string; name: string; members: string[] }>`
      select d.id::text, d.name, array(select concat_ws(' ', u.first_name, u.last_name) from unnest(d.member_ids) with ordinality t (id, place)
        join users u on u.customer_id = d.customer_id and u.id = t.id and u.is_active and ${canWorkOnLeads} order by t.place) as members
      from lead_destinations d where d.customer_id = ${actor.customerId} and d.kind = 'team' and d.is_active
        and cardinality(d.member_ids) > 0 order by d.name_key, d.id`.execute(db)
    const people = rows.map(({ from, until, open, late, ...one }) => ({
      ...one,
      absence: { from, until },
      open: { count: open, url: listUrl(LEAD_LIST, ofOwner(one.userId), { queue: 'open' }) },
      late: { count: late, url: listUrl(LEAD_LIST, `${ofOwner(one.userId)} && isLate`, { queue: 'open' }) },
    }))
    return { people, teams: teams.rows.filter(({ members }) => members.length > 0) }
  },
}
