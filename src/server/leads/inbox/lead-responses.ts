import { sql, type RawBuilder } from 'kysely'
import type {
  LeadReport,
  leadResponses,
  NamedFigures,
  ResponseFigures,
} from '#contract/leads/inbox/lead-responses.ts'
import { allOf, COUNTED_LEADS, LEAD_LIST } from '#contract/leads/inbox/lead-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import type { Handlers } from '#server/http/serve.ts'
import { listUrl } from '#server/lists/list-url.ts'
import { answeredBy, isEscalated, wasLate } from './response-facts.ts'

/** The figures that open leads: which of them count in SQL, and as a rule of the list. */
const FIGURES = {
  leads: { isIn: sql`true`, rule: '' },
  answered: { isIn: sql`f.is_answered`, rule: 'isAnswered' },
  waiting: {
    isIn: sql`not f.is_answered and f.outcome not in ('sold', 'lost')`,
    rule: '!isAnswered && outcome != "sold" && outcome != "lost"',
  },
  late: { isIn: sql`f.is_late`, rule: 'wasLate' },
  escalated: { isIn: sql`f.is_escalated`, rule: 'isEscalated' },
  sold: { isIn: sql`f.outcome = 'sold'`, rule: 'outcome == "sold"' },
  lost: { isIn: sql`f.outcome = 'lost'`, rule: 'outcome == "lost"' },
} as const
type FigureName = keyof typeof FIGURES

/** The leads that count, and what is left of those that were deleted. */
const counted = (customerId: string) => sql`(
  select l.customer_id, l.lot_id, ${answeredBy} as owner_id, l.source_name, l.received_at, l.first_response_at is not null as is_answered,
    ${wasLate} as is_late, ${isEscalated} as is_escalated, l.open_response_seconds, l.outcome, false as is_deleted
  from leads l where l.customer_id = ${customerId} and not l.is_test and l.status not in ('duplicate', 'quarantined')
  union all
  select p.customer_id, p.lot_id, p.owner_id, p.source_name, p.received_at, p.is_answered, p.is_late, p.is_escalated,
    p.open_response_seconds, p.outcome, true
  from past_leads p where p.customer_id = ${customerId})`

/** By what the figures are divided, and the rule that its leads match. */
const DIVISIONS = {
  byLot: {
    id: sql`f.lot_id`,
    name: sql`coalesce(max(lot.name), 'No lot')`,
    rule: ({ id }: Named) => (id === null ? 'lot == null' : `lot == "${id}"`),
  },
  byUser: {
    id: sql`f.owner_id`,
    name: sql`case when f.owner_id is null then 'No owner'
      else coalesce(nullif(concat_ws(' ', max(u.first_name), max(u.last_name)), ''), 'Other user') end`,
    rule: ({ id }: Named) => (id === null ? 'countsForId == null' : `countsForId == "${id}"`),
  },
  bySource: {
    id: sql`lower(f.source_name)`,
    name: sql`min(f.source_name)`,
    rule: ({ name }: Named) => `sourceName == ${JSON.stringify(name)}`,
  },
} as const
type Named = Pick<NamedFigures, 'id' | 'name'>

type ReportQuery = { from: string; to: string; lotId?: string | undefined }
type Times = Pick<ResponseFigures, 'medianSeconds' | 'p90Seconds' | 'shareUnderFive'>
type Row = Named & Times & { figures: Record<FigureName, { count: number; deleted: number }> }

/** How fast the leads that came in on the days of a period were answered. */
export async function readLeadReport(
  db: Database,
  actor: Member,
  { from, to, lotId }: ReportQuery,
): Promise<LeadReport> {
  const zone = actor.timeZone
  const bounds = await sql<{ start: string; end: string }>`
    select to_char(${from}::date::timestamp at time zone ${zone} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as start,
      to_char((${to}::date + 1)::timestamp at time zone ${zone} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "end"`.execute(
    db,
  )
  const [days] = bounds.rows
  if (days === undefined) throw new Error('The days of the period returned no row.')
  const { start, end } = days
  const within = sql`f.received_at >= ${start}::timestamptz and f.received_at < ${end}::timestamptz
    and ${lotId === undefined ? sql`true` : sql`f.lot_id = ${lotId}`}`
  const rule = allOf([
    `receivedAt >= timestamp("${start}") && receivedAt < timestamp("${end}")`,
    COUNTED_LEADS,
    lotId === undefined ? '' : `lot == "${lotId}"`,
  ])
  const read = async (id: RawBuilder<unknown>, name: RawBuilder<unknown>, group: RawBuilder<unknown>) => {
    const { rows } = await sql<Row>`
      select (${id})::text as id, ${name} as name, ${FIGURE_COLUMNS},
        round((percentile_cont(0.5) within group (order by f.open_response_seconds))::numeric)::int as median_seconds,
        round((percentile_cont(0.9) within group (order by f.open_response_seconds))::numeric)::int as p90_seconds,
        round(count(*) filter (where f.open_response_seconds < 300)::numeric / nullif(count(*) filter (where f.is_answered), 0), 4)::float8
          as share_under_five
      from ${counted(actor.customerId)} f
      left join lots lot on lot.customer_id = f.customer_id and lot.id = f.lot_id
      left join users u on u.customer_id = f.customer_id and u.id = f.owner_id
      where ${within} ${group} order by count(*) desc, 2`.execute(db)
    return rows
  }
  const by = async (division: keyof typeof DIVISIONS) => {
    const { id, name, rule: own } = DIVISIONS[division]
    const rows = await read(id, name, sql`group by ${id}`)
    return rows.map((row) => ({
      ...figuresOf(row, allOf([rule, own(row)])),
      id: division === 'bySource' ? null : row.id,
      name: row.name,
    }))
  }
  const [total] = await read(sql`null`, sql`''`, sql``)
  if (total === undefined) throw new Error('The figures returned no row.')
  return {
    total: figuresOf(total, rule),
    zone,
    byLot: await by('byLot'),
    byUser: await by('byUser'),
    bySource: await by('bySource'),
  }
}

const FIGURE_COLUMNS = sql`jsonb_build_object(${sql.join(
  Object.entries(FIGURES).flatMap(([name, { isIn }]) => [
    sql.lit(name),
    sql`jsonb_build_object('count', count(*) filter (where ${isIn}), 'deleted', count(*) filter (where f.is_deleted and ${isIn}))`,
  ]),
)}) as figures`

function figuresOf({ figures, ...times }: Row, rule: string): ResponseFigures {
  const of = (name: FigureName) => {
    const { count, deleted } = figures[name]
    const url = listUrl(LEAD_LIST, allOf([rule, FIGURES[name].rule]), { queue: 'all' })
    return { count, deleted, url: count > deleted ? url : null }
  }
  return {
    leads: of('leads'),
    answered: of('answered'),
    waiting: of('waiting'),
    late: of('late'),
    escalated: of('escalated'),
    sold: of('sold'),
    lost: of('lost'),
    medianSeconds: times.medianSeconds,
    p90Seconds: times.p90Seconds,
    shareUnderFive: times.shareUnderFive,
  }
}

export const leadResponseHandlers: Pick<Handlers<typeof leadResponses>, 'get'> = {
  get: ({ db, actor, input }) => readLeadReport(db, actor, input),
}
