import { sql } from 'kysely'
import { LOT_RULES } from '#contract/customers/lots/lots.ts'
import type { Decision, dashboard } from '#contract/home/dashboard.ts'
import { LEAD_QUEUES } from '#contract/leads/inbox/lead-list.ts'
import { STOCK_RULES } from '#contract/vehicles/vehicles/stock-rules.ts'
import { assessmentSource } from '#server/assessments/index.ts'
import { lotTable } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import type { Handlers } from '#server/http/serve.ts'
import { channelSource } from '#server/channels/index.ts'
import { feedRunSource, feedSourceSource, unmappedSource } from '#server/feeds/index.ts'
import { vehicleSource } from '#server/vehicles/index.ts'
import { leadSource } from '#server/leads/index.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { countMatching, matching } from '#server/lists/read-list.ts'
import { readCount, withTimeLimit } from '#server/lists/time-limit.ts'
import { submissionSource } from '#server/marketing/index.ts'
import { readCarbonDecisions } from './carbon-decisions.ts'

/** The time limits for counting one list, and all of them together. */
const ONE_MS = 1_000
const ALL_MS = 3_000
/** The most groups that are named in a tile. */
const MOST_GROUPS = 3

/** Rows of a list that need a decision: those that match a filter. */
type ListDecision = Readonly<{
  id: string
  tone: Decision['tone']
  /** After the count: "feed needs a review", "feeds need a review". */
  nouns: readonly [one: string, many: string]
  source: ListSource
  filter: string
  /** The parameters of the page, if they aren't just the filter. */
  search?: Readonly<Record<string, string>>
  /** The field whose values the tile names with their numbers of rows. */
  by: string
}>

/** `by` is checked against the fields of the list. */
function decision<Field extends string>(
  one: Omit<ListDecision, 'source' | 'by'> & { source: ListSource<Field>; by: Field },
): ListDecision {
  return one
}

const URGENCY = { bad: 0, warn: 1, info: 2 } as const

/** Within the same tone, in the order of the tiles. */
const LIST_DECISIONS: readonly ListDecision[] = [
  decision({
    id: 'leads-late',
    tone: 'bad',
    nouns: ['lead past its response time', 'leads past their response time'],
    source: leadSource,
    filter: `isLate && ${LEAD_QUEUES.open.rule}`,
    search: { queue: 'open', filter: 'isLate' },
    by: 'lot',
  }),
  decision({
    id: 'leads-undelivered',
    tone: 'bad',
    nouns: ['lead not delivered', 'leads not delivered'],
    source: leadSource,
    filter: LEAD_QUEUES.undelivered.rule,
    search: { queue: 'undelivered' },
    by: 'lot',
  }),
  decision({
    id: 'feeds-to-review',
    tone: 'bad',
    nouns: ['feed needs a review', 'feeds need a review'],
    source: feedRunSource,
    filter: 'status == "review"',
    by: 'sourceName',
  }),
  decision({
    id: 'feed-problems',
    tone: 'bad',
    nouns: ['feed source with a problem', 'feed sources with problems'],
    source: feedSourceSource,
    filter: 'isActive && lastProblem != null',
    by: 'name',
  }),
  decision({
    id: 'channels-failed',
    tone: 'bad',
    nouns: ['channel not sent', 'channels not sent'],
    source: channelSource,
    filter: 'isActive && (lastState == "failed" || lastState == "stopped")',
    by: 'name',
  }),
  decision({
    id: 'vehicles-hidden',
    tone: 'warn',
    nouns: ['vehicle for sale, not published', 'vehicles for sale, not published'],
    source: vehicleSource,
    filter: STOCK_RULES.hidden,
    by: 'notPublishedReason',
  }),
  decision({
    id: 'prices-to-decide',
    tone: 'warn',
    nouns: ['vehicle with a new price from its feed', 'vehicles with a new price from their feed'],
    source: vehicleSource,
    filter: STOCK_RULES.asksPrice,
    by: 'lotId',
  }),
  decision({
    id: 'leads-unassigned',
    tone: 'warn',
    nouns: ['lead without an owner', 'leads without an owner'],
    source: leadSource,
    filter: LEAD_QUEUES.unassigned.rule,
    search: { queue: 'unassigned' },
    by: 'lot',
  }),
  decision({
    id: 'values-unmapped',
    tone: 'warn',
    nouns: ['value without a mapping', 'values without a mapping'],
    source: unmappedSource,
    filter: '',
    by: 'field',
  }),
  decision({
    id: 'submissions-quarantined',
    tone: 'warn',
    nouns: ['submission in quarantine', 'submissions in quarantine'],
    source: submissionSource,
    filter: 'state == "quarantined" && !isTest',
    by: 'formName',
  }),
  decision({
    id: 'lots-without-address',
    tone: 'warn',
    nouns: ['lot without an address', 'lots without an address'],
    source: lotTable.source,
    filter: LOT_RULES.withoutAddress,
    by: 'name',
  }),
  decision({
    id: 'lots-without-fees',
    tone: 'warn',
    nouns: ['lot without fees entered', 'lots without fees entered'],
    source: lotTable.source,
    filter: LOT_RULES.withoutFees,
    by: 'name',
  }),
  decision({
    id: 'assessments-overdue',
    tone: 'bad',
    nouns: ['assessment with overdue targets', 'assessments with overdue targets'],
    source: assessmentSource,
    filter: 'status == "open" && overdue > 0',
    by: 'name',
  }),
]

/**
 * What needs a decision of the caller: only lists that they may open, and only those with rows. The number is that of the list
 * the tile opens, counted by the list's own filter.
 */
export const readDecisions: Handlers<typeof dashboard>['decisions'] = async ({ db, actor }) => {
  const endsAt = performance.now() + ALL_MS
  const found: Decision[] = []
  for (const one of LIST_DECISIONS) {
    if (one.source.list.allow !== null && !actor.may(one.source.list.allow)) continue
    const left = Math.max(1, Math.min(ONE_MS, Math.round(endsAt - performance.now())))
    const groups = await withTimeLimit(db, left, () => countGroups(db, actor, one))
    if (groups === null) found.push(shown(one, null, []))
    else if (groups[0] !== undefined) found.push(shown(one, groups[0].total, groups))
  }
  const all = [...found, ...(await readCarbonDecisions(db, actor))]
  return all.toSorted((one, other) => URGENCY[one.tone] - URGENCY[other.tone])
}

/**
 * The number of rows of one decision, for the badge of a menu entry.
 * @returns 0 for users who can't open the list, and if counting takes too long.
 */
export async function countDecision(db: Database, actor: Member, id: string): Promise<number> {
  const one = LIST_DECISIONS.find((known) => known.id === id)
  if (one === undefined) throw new Error(`There is no decision ${id}.`)
  const { source, filter } = one
  if (source.list.allow !== null && !actor.may(source.list.allow)) return 0
  return (await readCount(db, countMatching(source, actor, { filter }), ONE_MS)) ?? 0
}

type Group = { label: string | null; count: number; total: number }

/** The largest groups of the matching rows, each with the number of all of them. */
async function countGroups(
  db: Database,
  actor: Member,
  { source, filter, by }: ListDecision,
): Promise<Group[]> {
  const field = source.fields[by]
  if (field === undefined) throw new Error(`The list ${source.list.key} has no field ${by}.`)
  const label = field.shown ?? field.value
  const { rows } = await sql<Group>`
    select (${label})::text as label, count(*)::int as count, (sum(count(*)) over ())::int as total
    from ${source.from} where ${matching(source, actor, { filter })}
    group by 1 order by count(*) desc, 1 limit ${MOST_GROUPS}`.execute(db)
  return rows
}

function shown(
  { id, tone, nouns, source, filter, search, by }: ListDecision,
  count: number | null,
  groups: readonly Group[],
): Decision {
  const parameters = new URLSearchParams(search ?? (filter === '' ? {} : { filter }))
  const choices = source.list.fields[by]?.choices
  return {
    id,
    tone,
    count,
    noun: count === 1 ? nouns[0] : nouns[1],
    groups: groups.map(({ label, count: rows }) => ({
      label: choices?.find(({ value }) => value === label)?.label ?? label,
      count: rows,
    })),
    url: parameters.size === 0 ? source.list.page : `${source.list.page}?${parameters}`,
  }
}
