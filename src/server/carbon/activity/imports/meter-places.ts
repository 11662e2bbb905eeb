import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isSameMeter } from './bill-identity.ts'
import { type ImportContext, type ImportSource, placeNameOf } from './import-context.ts'
import { isOfMeter, meterNamer } from './meters.ts'
import { type ReadingPlan, type ReadLine, waits } from './read-line.ts'

/**
 * Meters of a file without facilities whose bills are at another facility so far, or that a source there is named after: a file of all
 * accounts, imported for one of them.
 */
export async function readMeterPlaces(
  db: Database,
  lines: readonly ReadLine[],
  plan: Pick<ReadingPlan, 'proposal' | 'context'>,
): Promise<NonNullable<ImportContext['meterPlaces']>> {
  const nameOf = meterNamer(plan)
  const own = Map.groupBy(
    lines.filter((read) => !read.isLeft && read.cells.facility === undefined && nameOf(read) !== ''),
    nameOf,
  )
  const found = new Map<string, ImportSource>()
  const chosen = new Set([...own.values()].flat().flatMap(({ source }) => source ?? []))
  const activities = new Set([...chosen].map(({ activity }) => activity))
  const others = plan.context.sources.filter((one) => activities.has(one.activity) && !chosen.has(one))
  if (others.length === 0) return found
  const known = await readKnownMeters(db, [...chosen, ...others])
  const has = (source: ImportSource, meter: string) =>
    (source.sourceLabel !== null && isSameMeter(source.sourceLabel, meter)) ||
    (known.get(placeOf(source)) ?? []).some((name) => isSameMeter(name, meter))
  for (const meter of own.keys()) {
    if ([...chosen].some((one) => has(one, meter))) continue
    const [place, ...more] = others.filter((one) => has(one, meter))
    if (place !== undefined && more.length === 0) found.set(meter, place)
  }
  return found
}

/** Asks where the bills of such meters belong. */
export function settleMeterPlaces(lines: readonly ReadLine[], plan: ReadingPlan): void {
  const { meterPlaces } = plan.context
  if (meterPlaces === undefined) return
  const nameOf = meterNamer(plan)
  const title = plan.proposal.evidence.find((one) => one.role === 'identifier' && isOfMeter(one))?.title ?? ''
  const placeName = (source: ImportSource) => placeNameOf(source, plan.context)
  for (const read of lines) {
    const meter = nameOf(read)
    const place = read.isLeft ? undefined : meterPlaces.get(meter)
    const { source } = read
    if (source === null || place === undefined || place.activity !== source.activity) continue
    const answer = plan.questions.ask({
      id: `meterPlace:${place.id}`,
      field: 'facility',
      text: `${title} “${meter}” belongs to ${placeName(place)} so far. Where do these lines belong?`,
      choices: [
        { value: 'there', label: placeName(place) },
        { value: 'here', label: placeName(source) },
      ],
      proposal: null,
    })
    if (answer === 'there') read.source = place
    if (answer === null) waits(read, 'facility', `Say whether this line belongs to ${placeName(place)}.`)
  }
}

const placeOf = ({ facilityId, sourceType }: Pick<ImportSource, 'facilityId' | 'sourceType'>): string =>
  `${facilityId}/${sourceType}`

/** The meters of the bills of sources, this year and before, by `placeOf`. */
async function readKnownMeters(
  db: Database,
  sources: Pick<ImportContext, 'sources'>['sources'],
): Promise<ReadonlyMap<string, string[]>> {
  const { rows } = await sql<{ facilityId: string; sourceType: string; meter: string }>`
    select distinct s.facility_id::text, s.source_type, substring(r.reference from '^(?:.*, )?Meter (.*)$') as meter
    from emission_sources s join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id
    join unnest(${sources.map(({ facilityId }) => facilityId)}::bigint[], ${sources.map(({ sourceType }) => sourceType)}::text[])
      o (facility_id, source_type) on s.facility_id = o.facility_id and s.source_type = o.source_type
    where r.replaced_at is null and r.reference like '%Meter %'`.execute(db)
  const named = rows.filter(({ meter }) => meter !== null)
  return new Map(
    [...Map.groupBy(named, placeOf)].map(([place, all]) => [place, all.map(({ meter }) => meter)]),
  )
}
