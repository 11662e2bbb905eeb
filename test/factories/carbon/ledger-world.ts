import type { z } from 'zod'
import { activities } from '#contract/carbon/activity/activity.ts'
import type { ActivityInput } from '#contract/carbon/activity/activity-schema.ts'
import { carbonAssignments, FREQUENCIES } from '#contract/carbon/inventories/assignments.ts'
import { customSources } from '#contract/carbon/inventories/custom-sources.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { GWP_SETS } from '#contract/carbon/factors/resolve.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { GRID_REGION_CODES } from '#contract/organizations/facilities/grid-regions.ts'
import { CONSOLIDATIONS } from '#contract/organizations/facilities/inclusion.ts'
import type { Caller, TestApp } from '#test/app.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

type Source = {
  activity: string
  scope: string
  unit: string
  country?: string
  gridRegion?: string
  frequency?: string
  factorId?: string
}
/** The value among those that a field may have. */
const oneOf = <T extends string>(values: readonly T[], wanted: string): T => {
  const found = values.find((value) => value === wanted)
  if (found === undefined) throw new Error(`${wanted} isn't one of ${values.join(', ')}.`)
  return found
}
type Control = { from: string; ownership?: number; isControlled?: boolean }
export type Row = Omit<z.input<typeof ActivityInput>, 'sourceId'>

/** A bill for a whole year, or for the given period. */
export const bill = (quantity: string, unit: string, more: Partial<Row> = {}): Row => ({
  quantity,
  unit,
  periodStart: '2025-01-01',
  periodEnd: '2025-12-31',
  ...more,
})

/**
 * An inventory in a new organization, so that any period and boundary is available. Facilities, sources and records are
 * entered through the API, as a user would.
 */
export async function ledgerWorld(
  _forecourt: TestApp,
  { addOrganization }: Pick<TestOrganization, 'addOrganization'>,
  caller: Caller,
  { year = 2025, gwpSet = 'AR5', boundary = 'operational', yearRule = 'edition', hasUpstream = false } = {},
) {
  const organizationId = await addOrganization()
  const { id: inventoryId } = await caller.call(carbonInventories.add, {
    organizationId,
    name: fresh('Inventory'),
    periodStart: `${year}-01-01`,
    periodEnd: `${year}-12-31`,
    boundary: oneOf(CONSOLIDATIONS, boundary),
    gwpSet: oneOf(GWP_SETS, gwpSet),
    yearRule: oneOf(['edition', 'latest'], yearRule),
    scope3: hasUpstream ? [{ category: 3, relevance: 'relevant' }] : [],
  })

  /** A site included in the inventory, or a building of one. */
  async function addFacility({
    country = 'US',
    gridRegion = null,
    control = [{ from: '2000-01-01' }],
    parentId = null,
  }: {
    country?: string | null
    gridRegion?: string | null
    control?: readonly Control[]
    parentId?: string | null
  } = {}): Promise<string> {
    const { id } = await caller.call(facilities.add, {
      organizationId,
      level: parentId === null ? 'site' : 'building',
      code: fresh('L').replace(' ', ''),
      name: fresh('Site'),
      country,
      gridRegion: gridRegion === null ? null : oneOf(GRID_REGION_CODES, gridRegion),
      parentId,
      control: control.map(({ from, ownership = 100, isControlled = true }) => ({
        validFrom: from,
        ownership,
        operationalControl: isControlled,
        financialControl: isControlled,
      })),
    })
    await caller.call(carbonAssignments.choose, {
      inventoryId,
      choices: [{ facilityId: id, choice: 'included' }],
    })
    return id
  }

  const places = new Map<string, string>()
  /** A custom source, assigned at a facility of the country and grid region, or at the given one. */
  async function addSource({
    country = 'US',
    gridRegion,
    activity,
    scope,
    unit,
    frequency = 'year',
    factorId,
    ...source
  }: Source & { facilityId?: string }): Promise<string> {
    const place = `${country} ${gridRegion ?? ''}`
    const facilityId =
      source.facilityId ??
      places.get(place) ??
      (await addFacility({ country, gridRegion: gridRegion ?? null }))
    if (source.facilityId === undefined) places.set(place, facilityId)
    const { sourceType } = await caller.call(customSources.add, {
      inventoryId,
      name: fresh('Source'),
      activity,
      scope,
      unit,
      facilityIds: [facilityId],
      frequency: oneOf(FREQUENCIES, frequency),
      factorId,
    })
    const sources = await caller.call(carbonAssignments.sources, { inventory: inventoryId })
    return sources.find((one) => one.sourceType === sourceType)?.id ?? ''
  }

  const save = (sourceId: string, ...rows: Row[]) =>
    caller.call(activities.save, {
      inventoryId,
      rows: rows.map((record, at) => ({ key: String(at), record: { ...record, sourceId } })),
    })
  const totals = () => caller.call(ledger.totals, { inventoryId })
  const results = async (more: object = {}) =>
    (await caller.call(ledger.rows, { inventoryId, pageSize: 2_000, ...more })).results

  /** Adds a source with one record, which must be saved without an error, and returns its emissions in kg. */
  async function addRecord(source: Source & { facilityId?: string }, row: Row) {
    const sourceId = await addSource(source)
    const { rows } = await save(sourceId, row)
    const record = rows[0]?.record ?? null
    if (record === null || record.result === null) throw new Error(JSON.stringify(rows[0]))
    const { kg, marketKg, biogenicKg, upstreamKg, problem } = record.result
    if (kg === null) throw new Error(problem ?? 'No result.')
    return {
      sourceId,
      kg: Number(kg),
      market: Number(marketKg),
      biogenic: Number(biogenicKg),
      upstream: Number(upstreamKg),
      flags: record.result.flags,
      recordId: record.id,
    }
  }

  /** Emissions of one gas in the whole inventory, in kg CO2e. */
  const gas = async (key: string) =>
    Number((await totals()).gases.find((line) => line.key === key)?.location ?? Number.NaN)

  return {
    organizationId,
    inventoryId,
    addFacility,
    addSource,
    save,
    totals,
    results,
    addRecord,
    gas,
  }
}
export type LedgerWorld = Awaited<ReturnType<typeof ledgerWorld>>
