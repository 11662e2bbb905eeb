import { sql } from 'kysely'
import {
  allOf,
  LEAD_FIGURES,
  LEAD_LIST,
  type LeadFigure,
  type LeadQueue,
  leadRule,
} from '#contract/leads/inbox/lead-list.ts'
import { listUrl } from '#server/lists/list-url.ts'
import type { LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { findingsOfAnswer, findingText, stopsAnswer } from '#contract/leads/inbox/check-answer.ts'
import { problemOfAnswer } from '#contract/leads/reply-templates/fill-template.ts'
import { DEFAULT_RESPONSE_MINUTES } from '#contract/leads/inbox/lead-settings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { requireOpenLot } from '#server/organizations/index.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import { matching, type Narrowing, readPage } from '#server/lists/read-list.ts'
import { ruleOf } from '#server/lists/rule-of.ts'
import type { Outbox } from '#server/mail/index.ts'
import { assignLead, passOnLead, readAssignees, requireFree, takenBy } from './assign-lead.ts'
import { changeLeadsHandlers } from './change-leads.ts'
import { changeSubject } from './change-subject.ts'
import { readLeadClock } from './lead-clock.ts'
import { noteLeadEvents, type NewLeadEvent } from '../events/lead-events.ts'
import { leadSource } from './lead-source.ts'
import { lockLead, type LockedLead } from './lock-lead.ts'
import { acceptByAnswer, noteCall } from './note-response.ts'
import { readLead, readLeads, readLeadText } from './read-lead.ts'
import { receiveLead } from './receive-lead.ts'
import { requireVehicle } from './require-vehicle.ts'
import { discardLeads, releaseLead } from './release-lead.ts'
import { sendLeadEmail } from './send-email.ts'
import { giveLead, requireReleased, setLeadOutcome, snoozeLead } from './work-on-lead.ts'

/** Leads of the caller's organization, or of the whole customer for callers with customer reach. */
const leadReading: Pick<
  Handlers<typeof leads>,
  'list' | 'counts' | 'stores' | 'get' | 'source' | 'assignees'
> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, leadSource, input)
    return { ...counts, results: await readLeads(db, actor.customerId, ids) }
  },

  async counts({ db, actor, input }) {
    const counts = LEAD_FIGURE_NAMES.map((name) => sql`${countOf(actor, name)} as ${sql.id(name)}`)
    const { rows } = await sql<CountRow>`
      select ${sql.join(counts)},
        percentile_cont(0.5) within group (order by l.open_response_seconds) filter (where not l.is_test
          and (l.first_response_at at time zone ${actor.timeZone})::date = today(${actor.timeZone}))::int as median_seconds_today,
        coalesce((select s.response_minutes from lead_settings s where s.customer_id = ${actor.customerId}),
          ${DEFAULT_RESPONSE_MINUTES}) as response_minutes
      from ${leadSource.from} where ${matching(leadSource, actor, input)}`.execute(db)
    const [found] = rows
    if (found === undefined) throw new Error('The count returned no row.')
    const { medianSecondsToday, responseMinutes, ...counted } = found
    const of = (name: LeadFigure) => ({ count: counted[name], url: leadUrl(LEAD_FIGURES[name], input) })
    return {
      mine: of('mine'),
      unassigned: of('unassigned'),
      open: of('open'),
      noStore: of('noStore'),
      undelivered: of('undelivered'),
      quarantined: of('quarantined'),
      all: of('all'),
      waiting: of('waiting'),
      late: of('late'),
      unanswered: of('unanswered'),
      medianSecondsToday,
      responseMinutes,
    }
  },

  async stores({ db, actor, input }) {
    const { rows } = await sql<{ lotId: string; name: string; open: number; late: number }>`
      with counted as (
        select l.lot_id, ${countOf(actor, 'open')} as open, ${countOf(actor, 'late')} as late
        from ${leadSource.from} where ${matching(leadSource, actor, input)} group by l.lot_id
      )
      select lot.id::text as lot_id, lot.name, coalesce(c.open, 0) as open, coalesce(c.late, 0) as late
      from lots lot left join counted c on c.lot_id = lot.id
      where lot.customer_id = ${actor.customerId} order by lower(lot.name), lot.id`.execute(db)
    return rows
  },

  get: ({ db, input }) => readLead(db, input.id),

  source: ({ db, input }) => readLeadText(db, input.id),

  async assignees({ db, input }) {
    const lead = await db
      .selectFrom('leads')
      .select(['organizationId', 'lotId'])
      .where('id', '=', input.id)
      .executeTakeFirst()
    if (lead === undefined) throw notFound('Lead')
    const { managerId } = await readLeadClock(db, lead)
    const found = await readAssignees(db, lead.organizationId)
    return found.map((one) => ({ ...one, isManager: one.id === managerId }))
  },
}

/** SQL: how many of the leads belong to a figure. */
function countOf(actor: Member, name: LeadFigure) {
  const { isMatch } = ruleOf(leadSource, actor, leadRule(LEAD_FIGURES[name]))
  return sql`(count(*) filter (where ${isMatch}))::int`
}

type CountRow = Record<LeadFigure | 'responseMinutes', number> & { medianSecondsToday: number | null }
const isFigure = (name: string): name is LeadFigure => Object.hasOwn(LEAD_FIGURES, name)
const LEAD_FIGURE_NAMES = Object.keys(LEAD_FIGURES).filter(isFigure)

/** The path of the inbox with the leads of a figure. */
function leadUrl({ queue, filter }: { queue: LeadQueue; filter: string }, narrowing: Narrowing): string {
  const { search = '' } = narrowing
  return listUrl(LEAD_LIST, allOf([filter, narrowing.filter ?? '']), {
    queue,
    ...(search !== '' && { search }),
  })
}

const keeping: Pick<Handlers<typeof leads>, 'add' | 'update' | 'release' | 'discard' | 'remove'> = {
  async add({ db, actor, input }) {
    const { lotId, vehicleId, isMine = false, type, sourceName, comments, ...person } = input
    const lot = await requireOpenLot(db, lotId)
    await requireVehicle(db, { vehicleId: vehicleId ?? null, organizationId: lot.organizationId })
    const { leadId } = await receiveLead(db, {
      organizationId: lot.organizationId,
      lotId,
      type,
      sourceKind: 'manual',
      sourceName,
      person,
      vehicle: vehicleId == null ? null : { id: vehicleId, title: null, priceCents: null },
      comments: comments ?? null,
    })
    if (isMine) await assignLead(db, await lockLead(db, leadId), takenBy(actor))
    return readLead(db, leadId)
  },

  update: ({ db, input: { id, version, ...changes } }) =>
    changeLead(db, { id, version }, async (lead) => [await changeSubject(db, lead, changes)]),

  release: ({ db, input }) =>
    changeLead(db, input, async (lead) => {
      await releaseLead(db, lead)
      return []
    }),

  discard: async ({ db, input: { ids } }) => ({ deleted: await discardLeads(db, ids) }),

  async remove({ db, input: { id, version } }) {
    await lockLead(db, id, version)
    if ((await discardLeads(db, [id])) > 0) return null
    const removed = await db.deleteFrom('leads').where('id', '=', id).returning('sourceId').executeTakeFirst()
    if (removed === undefined) throw notFound('Lead')
    // Several leads can come from one document.
    await sql`delete from lead_sources s where s.id = ${removed.sourceId}
      and not exists (select from leads l where l.source_id = s.id)`.execute(db)
    return null
  },
}

/** Who works on a lead, and when. */
const owning: Pick<Handlers<typeof leads>, 'accept' | 'assign' | 'giveBack' | 'snooze'> = {
  accept: ({ db, actor, input }) =>
    changeLead(db, input, async (lead) => {
      requireReleased(lead)
      if (lead.acceptedAt !== null && lead.ownerId !== actor.effectiveUserId) {
        throw conflict(`${lead.ownerName ?? 'Someone else'} has already accepted this lead.`)
      }
      await requireFree(db, lead, actor)
      if (lead.acceptedAt === null) await assignLead(db, lead, takenBy(actor))
      return []
    }),

  assign: ({ db, actor, input: { userId, ...of } }) =>
    changeLead(db, of, (lead) => giveLead(db, lead, { actor, userId })),

  giveBack: ({ db, input: { text, ...of } }) =>
    changeLead(db, of, async (lead) => {
      if (lead.ownerId === null) throw conflict('This lead has no owner.')
      await passOnLead(db, lead, { isTimeout: false, text: text ?? null })
      return []
    }),

  snooze: ({ db, actor, input: { until, ...of } }) =>
    changeLead(db, of, (lead) => snoozeLead(db, lead, { actor, until })),
}

/** What was said, and what became of the lead. */
const answering = ({
  outbox,
}: {
  outbox: Outbox
}): Pick<Handlers<typeof leads>, 'setOutcome' | 'addNote' | 'logCall' | 'sendEmail'> => ({
  setOutcome: ({ db, input: { id, version, ...outcome } }) =>
    changeLead(db, { id, version }, (lead) => setLeadOutcome(db, lead, outcome)),

  addNote: ({ db, input: { id, text } }) =>
    changeLead(db, { id }, async () => [{ kind: 'note', data: { text } }]),

  logCall: ({ db, actor, input: { id, result, text } }) =>
    changeLead(db, { id }, async (lead) => {
      requireReleased(lead)
      if (result === 'reached') await noteCall(db, lead, actor)
      return [{ kind: 'call', data: { result, ...(text != null && { text }) } }]
    }),

  sendEmail: ({ db, actor, input: { id, subject, text, toEmail = null, sendsAnyway = false } }) =>
    changeLead(db, { id }, async (lead) => {
      requireReleased(lead)
      const problem = problemOfAnswer(`${subject} ${text}`)
      if (problem !== null) throw refused('Some fields are invalid.', { text: problem })
      const stops = findingsOfAnswer({ subject, text }, await readLead(db, id)).filter(stopsAnswer)
      const against = stops.map(findingText).join(' ')
      if (against !== '' && !sendsAnyway) throw refused('Some fields are invalid.', { text: against })
      await sendLeadEmail(db, lead, { actor, outbox, subject, text, toEmail, against })
      // It is an answer when a mail server has accepted it.
      await acceptByAnswer(db, lead, actor)
      return []
    }),
})

/** Everything users do with leads. */
export const leadHandlers = (parts: { outbox: Outbox; jobs: StartJobs }): Handlers<typeof leads> => ({
  ...leadReading,
  ...changeLeadsHandlers(parts.jobs),
  ...keeping,
  ...owning,
  ...answering(parts),
})

/** Changes a locked lead, notes what happened, and returns it. @throws Failure 404, 409 */
async function changeLead(
  db: Database,
  { id, version }: { id: string; version?: number | undefined },
  change: (lead: LockedLead) => Promise<readonly NewLeadEvent[]>,
): Promise<LeadRecord> {
  const lead = await lockLead(db, id, version)
  const events = await change(lead).catch((error: unknown) => {
    throw isViolation(error, 'foreign key') ? refused('Some fields are invalid.') : error
  })
  await noteLeadEvents(db, lead, events)
  return readLead(db, id)
}
