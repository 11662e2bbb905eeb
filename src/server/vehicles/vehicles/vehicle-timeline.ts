import { capitalize } from '#contract/capitalize.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { customFieldName, CustomValue } from '#contract/customers/custom-fields/custom-fields.ts'
import { VEHICLE_FIELDS, type VehicleFieldKind } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { amountText } from '#contract/vehicles/vehicles/price-changes.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { MAX_EVENTS, type VehicleEvent, type vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { changesOf, type Image } from '#server/administration/index.ts'
import { readCustomFields } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { RunNames } from './run-names.ts'
import { readPriceHistory } from './price-history.ts'
import { readPriceLimits } from './price-limits.ts'
import { seesCost } from './vehicle-json.ts'

type Entry = {
  at: string
  by: string | null
  as: string | null
  operation: 'insert' | 'update' | 'delete'
  jobId: string | null
  runId: string | null
  before: Image
  after: Image
}

/** A vehicle's change history and price history. */
export const makeVehicleHistory = (
  runNames: RunNames,
): Pick<Handlers<typeof vehicles>, 'timeline' | 'prices'> => ({
  async timeline({ db, actor, input: { id } }) {
    await findVehicle(db, actor, id)
    const entries = await readEntries(db, actor, id)
    const titles = await titlesFor(db, actor)
    const undone = await runNames.readUndone(db, [...new Set(entries.flatMap(({ jobId }) => jobId ?? []))])
    const runs = await readRuns(db, runNames, id, [
      ...entries.flatMap(({ runId }) => runId ?? []),
      ...undone.values(),
    ])
    const { currency } = await readPriceLimits(db, actor.customerId)
    const events = entries
      .slice(0, MAX_EVENTS)
      .map((entry, at) => toEvent(entry, entries[at + 1], { actor, titles, runs, undone, currency }))
    await nameLots(db, events)
    return { events, isCut: entries.length > MAX_EVENTS }
  },

  async prices({ db, actor, input: { id } }) {
    await findVehicle(db, actor, id)
    return readPriceHistory(db, actor, { id, runNames })
  },
})

async function findVehicle(db: Database, { customerId }: Member, id: string): Promise<void> {
  const found = await db
    .selectFrom('vehicles')
    .select('id')
    .where('customerId', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Vehicle')
}

/**
 * Newest first, one more than is shown. Combines the audit log with changes by jobs and feeds, which the audit log doesn't
 * record by row; the first of those added the vehicle.
 */
async function readEntries(db: Database, { customerId }: Member, id: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    with job_changes as (
      select h.*, lag(h.price_cents) over w as earlier_price, lag(h.status) over w as earlier_status
      from vehicle_history h where h.customer_id = ${customerId} and h.vehicle_id = ${id} window w as (order by h.at, h.id)
    )
    select at, by, "as", operation, job_id, run_id, before, after from (
      (select a.at, a.id, a.actor_name as by, a.effective_name as "as", a.operation, null::bigint as job_id,
          null::bigint as run_id, a.before, a.after
        from audit_log a where a.customer_id = ${customerId} and a.table_name = 'vehicles' and a.row_id = ${id}
          and a.operation in ('insert', 'update', 'delete')
        order by a.at desc, a.id desc limit ${MAX_EVENTS + 1})
      union all
      (select j.at, j.id, j.by_name, null, case when j.earlier_status is null then 'insert' else 'update' end, j.job_id,
          j.feed_run_id,
          case when j.earlier_status is not null
            then jsonb_build_object('price_cents', j.earlier_price, 'status', j.earlier_status) end,
          jsonb_build_object('price_cents', j.price_cents, 'status', j.status)
        from job_changes j where j.job_id is not null or j.feed_run_id is not null
        order by j.at desc, j.id desc limit ${MAX_EVENTS + 1})
    ) e order by at desc, id desc limit ${MAX_EVENTS + 1}`.execute(db)
  return rows
}

/** @param older the previous entry: an insert after a deletion is a restore. */
function toEvent(entry: Entry, older: Entry | undefined, reader: Reader): VehicleEvent {
  const { actor, runs } = reader
  const { at, by, as, jobId, runId, operation, before, after } = entry
  const isRestored = operation === 'insert' && older?.operation === 'delete'
  const changes = isRestored ? [] : changesOf({ table: 'vehicles', before, after, may: actor.may })
  const isLockOnly = operation === 'update' && changes.every(({ field }) => field === 'locked')
  const undoneRun = jobId === null ? undefined : reader.undone.get(jobId)
  const shownRun = runId ?? undoneRun
  const what = { insert: 'added', update: 'changed', delete: 'deleted' } as const
  return {
    at,
    by,
    as,
    jobId,
    run: shownRun === undefined ? null : (runs.get(shownRun) ?? { id: shownRun, feed: null, canOpen: false }),
    what: isRestored ? 'restored' : what[operation],
    isUndo: runId === null && undoneRun !== undefined,
    changes: changes
      // The organization follows from the lot. Locks follow from the other changes, so they are shown only on their own.
      .filter(({ field }) => field !== 'organization' && (field !== 'locked' || isLockOnly))
      .flatMap(({ field, before: was, after: is }) =>
        field === 'custom'
          ? customChanges(entry, reader)
          : [shorten({ field, before: was, after: is }, entry, reader)],
      )
      .filter((change) => change.before !== change.after),
  }
}

type Change = VehicleEvent['changes'][number]

/** The fields as users know them, by the audit log's name of their column. */
const FIELDS: ReadonlyMap<string, { title: string; kind: VehicleFieldKind; name: string }> = new Map(
  Object.entries(VEHICLE_FIELDS).map(([name, { title, kind }]) => [
    name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    { title, kind, name },
  ]),
)

/**
 * A change as users read it: field labels, amounts with their currency, and labels of statuses and conditions. Photos are shown
 * as a count, because paths mean nothing to users, and locked fields by their labels.
 */
function shorten(
  { field, before, after }: Change,
  images: Pick<Entry, 'before' | 'after'>,
  reader: Reader,
): Change {
  const both = (title: string, show: (value: string) => string | null): Change => ({
    field: title,
    before: before === null ? null : show(before),
    after: after === null ? null : show(after),
  })
  const parts = (title: string, show: (value: unknown) => string | null): Change => ({
    field: title,
    before: show(images.before?.[field]),
    after: show(images.after?.[field]),
  })
  if (field === 'photos') return parts('Photos', countOf)
  if (field === 'locked') return parts('Locked fields', (list) => titlesIn(list, reader))
  if (field === 'status' || field === 'condition') {
    const { title, choices } = VEHICLE_LIST.fields[field]
    return both(title, (value) => choices?.find((choice) => choice.value === value)?.label ?? value)
  }
  if (field === 'status reason') return both('Reason', (value) => value)
  const known = FIELDS.get(field)
  if (known === undefined) return both(capitalize(field), (value) => value)
  if (known.kind === 'money')
    return both(known.title, (value) => amountText(Math.round(Number(value) * 100), reader.currency))
  return both(known.title, (value) => value)
}

function titlesIn(list: unknown, { actor, titles: all }: Reader): string | null {
  const texts = JSON.stringify(list ?? [])
  const titles = [...all].flatMap(([name, title]) => {
    const isCost = name === 'cost' || name === 'invoice'
    return texts.includes(`"${name}"`) && (!isCost || seesCost(actor)) ? [title] : []
  })
  return titles.length === 0 ? null : titles.join(', ')
}

/** The user who reads the timeline, with the labels of all fields, including custom fields. */
type Reader = {
  actor: Member
  titles: ReadonlyMap<string, string>
  runs: ReadonlyMap<string, Run>
  /** The runs that jobs of the entries undid, by job. */
  undone: ReadonlyMap<string, string>
  currency: string
}
type Run = NonNullable<VehicleEvent['run']>

/**
 * The feed runs of the entries. The feed's name comes from the run if the user has access to it, otherwise from the
 * provenance of values that the run wrote and that are unchanged since.
 */
async function readRuns(
  db: Database,
  runNames: RunNames,
  vehicleId: string,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, Run>> {
  const ids = [...new Set(runIds)]
  if (ids.length === 0) return new Map()
  const labels = await runNames.readLabels(db, ids)
  const { rows } = await sql<{ id: string; by: string | null }>`
    select i.id::text, s.by from unnest(${ids}::bigint[]) as i (id)
    left join lateral (select max(t ->> 'by') as by from vehicles v cross join lateral jsonb_array_elements(v.provenance) t
      where v.id = ${vehicleId} and t ->> 'run' = i.id::text) s on true`.execute(db)
  return new Map(rows.map(({ id, by }) => [id, { id, feed: labels.get(id) ?? by, canOpen: labels.has(id) }]))
}

async function titlesFor(db: Database, { customerId }: Member): Promise<ReadonlyMap<string, string>> {
  const own = await readCustomFields(db, customerId)
  return new Map([
    ...Object.entries(VEHICLE_FIELDS).map(([name, { title }]): [string, string] => [name, title]),
    ...own.map((field): [string, string] => [customFieldName(field), field.name]),
  ])
}

const Custom = z.record(z.string(), CustomValue).catch({})

/** Changes to custom fields, one by one. */
function customChanges({ before, after }: Entry, { titles }: Reader): Change[] {
  const [was, is] = [before, after].map((image) => Custom.parse(image?.['custom']))
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])
  return [...names].map((name) => ({
    field: titles.get(name) ?? name,
    before: asText(was?.[name]),
    after: asText(is?.[name]),
  }))
}

function asText(value: CustomValue | undefined): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === undefined ? null : String(value)
}

function countOf(photos: unknown): string | null {
  if (!Array.isArray(photos) || photos.length === 0) return null
  return `${photos.length} ${photos.length === 1 ? 'photo' : 'photos'}`
}

/** Replaces lot IDs with names for lots the caller has access to. */
async function nameLots(db: Database, events: readonly VehicleEvent[]): Promise<void> {
  const moves = events.flatMap(({ changes }) => changes.filter(({ field }) => field === 'Lot'))
  const ids = [...new Set(moves.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()))]
  const lots =
    ids.length === 0
      ? []
      : await db.selectFrom('lots').select(['id', 'name']).where('id', 'in', ids).execute()
  const nameOf = (id: string | null) => lots.find((lot) => lot.id === id)?.name ?? (id && `No. ${id}`)
  for (const move of moves) {
    Object.assign(move, { before: nameOf(move.before), after: nameOf(move.after) })
  }
}
