import { chainOf, NEAREST_COUNTRY } from '../facility-chain.ts'
import { sql } from 'kysely'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { METHODS } from '#contract/carbon/inventories/assignments.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readUnitTable } from '#server/carbon/factors/measures.ts'
import { type DecidedLines, readDecided } from './decided-lines.ts'

export type ImportSource = {
  id: string
  facilityId: string
  sourceType: string
  sourceName: string | null
  /** The meter, account or asset. */
  sourceLabel: string | null
  activity: string
  unit: string
  method: (typeof METHODS)[number]
  factorId: string | null
}
export type ImportFacility = { id: string; code: string; name: string; country: string | null }
/** A factor that a line may name. It applies to one activity. */
export type NamedFactor = { id: string; name: string; activity: string }

/** What the names in a file can refer to. */
export type ImportContext = {
  facilities: readonly ImportFacility[]
  sources: readonly ImportSource[]
  types: readonly { id: string; title: string }[]
  factors: readonly NamedFactor[]
  units: UnitTable
  /** The calendar years of the inventory. */
  years: readonly number[]
  /** Of the organization, in which the costs of bills are kept; null: not set. */
  currency: string | null
  /** Of the organization. */
  timeZone: string
  /** The first day of the inventory. */
  periodStart: string
  /** What earlier files with these headings made of lines. */
  decided: DecidedLines
  /** The sources that meters of the file belong to, if they are others than that of the file, once it has been read. By their names. */
  meterPlaces?: ReadonlyMap<string, ImportSource>
}

/** What a source is called beside those of other facilities: "Body shop, Electricity". */
export const placeNameOf = (
  source: ImportSource,
  { facilities }: Pick<ImportContext, 'facilities'>,
): string => `${facilities.find(({ id }) => id === source.facilityId)?.name ?? ''}, ${sourceTitle(source)}`

/**
 * The open sources of an inventory, their facilities and source types, the factors of their activities, and what earlier files
 * with these headings made of lines.
 */
export async function readImportContext(
  db: Database,
  inventoryId: string,
  { titles }: { titles: readonly string[] },
): Promise<ImportContext> {
  const { rows: sources } = await sql<ImportSource>`
    select s.id::text, s.facility_id::text, s.source_type, s.name as source_name, s.label as source_label, s.activity,
      s.unit, s.method, s.factor_id::text from emission_sources s
    join inventory_facilities i on i.customer_id = s.customer_id and i.inventory_id = s.inventory_id
      and i.facility_id = s.facility_id
    where s.inventory_id = ${inventoryId} and not s.closed and not i.excluded order by s.facility_id, s.id`.execute(
    db,
  )
  const { rows: facilities } = await sql<ImportFacility>`
    select own.id::text, own.code, own.name, (
      with ${chainOf(sql`own.id`)} select ${NEAREST_COUNTRY} from chain c join facilities f on f.id = c.id) as country
    from facilities own
    where own.id = any(${[...new Set(sources.map(({ facilityId }) => facilityId))]}::bigint[]) order by own.name, own.id`.execute(
    db,
  )
  const { rows: factors } = await sql<NamedFactor>`
    select f.id::text, f.name, f.activity from library.factors f
    where f.activity = any(${[...new Set(sources.map(({ activity }) => activity))]}) and f.superseded_by is null`.execute(
    db,
  )
  const types = new Map(sources.map((one) => [one.sourceType, sourceTitle({ ...one, sourceLabel: null })]))
  return {
    facilities,
    sources,
    types: [...types].map(([id, title]) => ({ id, title })),
    factors,
    units: await readUnitTable(db),
    years: await readYears(db, inventoryId),
    ...(await readOwner(db, inventoryId)),
    decided: await readDecided(db, { inventoryId, titles }),
  }
}

async function readYears(db: Database, inventoryId: string): Promise<number[]> {
  const { rows } = await sql<{ year: number }>`
    select y.year::int from carbon_inventories i
    cross join generate_series(extract(year from i.period_start)::int, extract(year from i.period_end)::int) y(year)
    where i.id = ${inventoryId} order by 1`.execute(db)
  return rows.map(({ year }) => year)
}

async function readOwner(
  db: Database,
  inventoryId: string,
): Promise<Pick<ImportContext, 'currency' | 'timeZone' | 'periodStart'>> {
  const { rows } = await sql<{ currency: string | null; timeZone: string; periodStart: string }>`
    select p.currency, o.time_zone, i.period_start::text from carbon_inventories i
    join organizations o on o.customer_id = i.customer_id and o.id = i.organization_id
    left join organization_profiles p on p.customer_id = i.customer_id and p.organization_id = i.organization_id
    where i.id = ${inventoryId}`.execute(db)
  return rows[0] ?? { currency: null, timeZone: 'UTC', periodStart: '' }
}
