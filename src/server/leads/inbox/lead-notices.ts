import { sql } from 'kysely'
import type { leadNotices } from '#contract/leads/inbox/lead-notices.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Outbox } from '#server/mail/index.ts'
import { ownUserId } from './assign-lead.ts'

/** Whether a user is emailed about their leads. On unless they turned it off. */
export const leadNoticeHandlers: Handlers<typeof leadNotices> = {
  async get({ db, actor }) {
    const userId = ownUserId(actor)
    if (userId === null) return { isOn: false }
    const own = await db
      .selectFrom('leadNoticeSettings')
      .select('isOn')
      .where('userId', '=', userId)
      .executeTakeFirst()
    return { isOn: own?.isOn ?? true }
  },

  async update({ db, actor, input: { isOn } }) {
    const userId = ownUserId(actor)
    // Staff of the platform own no leads.
    if (userId === null) return { isOn: false }
    await db
      .insertInto('leadNoticeSettings')
      .values({ userId, isOn })
      .onConflict((on) => on.columns(['customerId', 'userId']).doUpdateSet({ isOn }))
      .execute()
    return { isOn }
  },
}

type Notice = {
  leadId: string
  organizationId: string
  kind: 'assigned' | 'reply' | 'late'
  userId: string
  toName: string
  firstName: string
  toEmail: string
  buyer: string
  vehicle: string | null
  sourceName: string
  acceptBy: string | null
  ownerName: string | null
  isAccepted: boolean
}

/** Emails per transaction. */
const BATCH = 50

/**
 * Puts the emails to owners into the outbox, each once: it is stored and the notice removed in one transaction. Nothing is sent
 * about a lead that was accepted or answered in the meantime. @returns how many notices were removed
 */
export async function sendLeadNotices(
  db: Database,
  { customerId, put, base }: { customerId: string; put: Outbox['put']; base: () => string },
): Promise<number> {
  const { rows: due } = await sql<{ leadId: string; kind: string; userId: string }>`
    delete from lead_notices n using (
      select d.lead_id, d.kind from lead_notices d order by d.lead_id, d.kind limit ${BATCH} for update skip locked
    ) d where n.lead_id = d.lead_id and n.kind = d.kind
    returning n.lead_id::text, n.kind, n.user_id::text`.execute(db)
  const { rows } = await sql<Notice>`
    select l.id::text as lead_id, l.organization_id::text, d.kind, u.id::text as user_id,
      concat_ws(' ', u.first_name, u.last_name) as to_name, u.first_name, u.email as to_email,
      coalesce(p.name, p.email, p.phone, 'A buyer') as buyer, l.vehicle_title as vehicle, l.source_name,
      to_char(l.accept_by at time zone coalesce(lot.time_zone, o.time_zone, c.time_zone), 'FMHH12:MI AM') as accept_by,
      (select nullif(concat_ws(' ', w.first_name, w.last_name), '') from users w where w.customer_id = l.customer_id and w.id = l.owner_id) as owner_name,
      l.accepted_at is not null as is_accepted
    from json_to_recordset(${JSON.stringify(due)}::json) as d("leadId" bigint, kind text, "userId" bigint)
    join leads l on l.id = d."leadId"
    join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
    join customers c on c.id = l.customer_id
    left join lots lot on lot.customer_id = l.customer_id and lot.id = l.lot_id
    join people own on own.customer_id = l.customer_id and own.id = l.person_id
    join people p on p.customer_id = l.customer_id and p.id = coalesce(own.merged_into_id, own.id)
    join users u on u.customer_id = l.customer_id and u.id = case d.kind when 'late' then d."userId" else l.owner_id end and u.is_active and u.email is not null
    left join lead_notice_settings s on s.customer_id = u.customer_id and s.user_id = u.id
    where coalesce(s.is_on, true)
      and case d.kind when 'assigned' then l.accepted_at is null when 'late' then l.waits_until is not null
        else l.unanswered_since is not null end
    order by l.id`.execute(db)
  for (const notice of rows) {
    const { organizationId, userId, toName, toEmail } = notice
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    await put(db, {
      customerId,
      organizationId,
      userId,
      toName,
      toEmail,
      ...textOf(notice, base()),
      hasSecret: false,
      isAboutBuyer: true,
    })
  }
  return due.length
}

function textOf(
  { leadId, kind, firstName, buyer, vehicle, sourceName, acceptBy, ownerName, isAccepted }: Notice,
  base: string,
): { subject: string; text: string } {
  const about = vehicle === null ? '' : ` about the ${vehicle}`
  const link = `${base}/customers/leads?queue=mine&lead=${leadId}`
  if (kind === 'reply') {
    return {
      subject: `${buyer} replied`,
      text: `Hello ${firstName},\n\n${buyer} answered your email${about}.\n\n${link}\n`,
    }
  }
  if (kind === 'late') {
    const lead = `lead of ${buyer}${about}`
    const owned = isAccepted
      ? `${ownerName ?? ''} accepted the ${lead}`
      : `The ${lead} is assigned to ${ownerName ?? ''}, who hasn't accepted it`
    const whose = ownerName === null ? `The ${lead} has no owner` : owned
    return {
      subject: `Not answered in time: ${buyer}${vehicle === null ? '' : `, ${vehicle}`}`,
      text: `Hello ${firstName},\n\n${whose}, and it has no answer at its deadline.\n\n${base}/customers/leads?queue=open&lead=${leadId}\n`,
    }
  }
  const deadline = acceptBy === null ? '' : ` Accept it by ${acceptBy}; then the next person gets it.`
  return {
    subject: `New lead: ${buyer}${vehicle === null ? '' : `, ${vehicle}`}`,
    text: `Hello ${firstName},\n\n${buyer} sent a lead${about} through ${sourceName}, and it is assigned to you.${deadline}\n\n${link}\n`,
  }
}
