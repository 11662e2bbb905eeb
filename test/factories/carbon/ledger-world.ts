import type { z } from 'zod'
import { activities } from '#contract/carbon/activity/activity.ts'
import type { ActivityInput } from '#contract/carbon/activity/activity-schema.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
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

/** An inventory in a new organization, so that any period and boundary is available. */
export async function ledgerWorld(
  { owner }: TestApp,
  { customerId, addOrganization }: TestOrganization,
  caller: Caller,
  { year = 2025, gwpSet = 'AR5', boundary = 'operational', yearRule = 'edition', hasUpstream = false } = {},
) {
  const organizationId = await addOrganization()
  const insert = async (text: string, values: unknown[]): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>(`${text} returning id`, values)
    return rows[0]?.id ?? ''
  }
  const inventoryId = await insert(
    `insert into carbon_inventories (customer_id, organization_id, name, period_start, period_end, boundary, gwp_set, year_rule)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      customerId,
      organizationId,
      fresh('Inventory'),
      `${year}-01-01`,
      `${year}-12-31`,
      boundary,
      gwpSet,
      yearRule,
    ],
  )
  if (hasUpstream)
    await owner.query(
      `insert into inventory_scope3 (customer_id, organization_id, inventory_id, category, relevance) values ($1, $2, $3, 3, 'relevant')`,
      [customerId, organizationId, inventoryId],
    )

  /** A site included in the inventory. */
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
    await owner.query('begin')
    const level = parentId === null ? 'group' : 'site'
    const id = await insert(
      `insert into facilities (customer_id, organization_id, level, code, name, country, grid_region, parent_id, parent_level)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        customerId,
        organizationId,
        level,
        fresh('L').replace(' ', ''),
        fresh('Site'),
        country,
        gridRegion,
        parentId,
        parentId === null ? null : 'group',
      ],
    )
    for (const { from, ownership = 100, isControlled = true } of control)
      await owner.query(
        `insert into facility_control (customer_id, organization_id, facility_id, valid_from, ownership, operational_control,
          financial_control) values ($1, $2, $3, $4, $5, $6, $6)`,
        [customerId, organizationId, id, from, ownership, isControlled],
      )
    await owner.query('commit')
    await owner.query(
      'insert into inventory_facilities (customer_id, organization_id, inventory_id, facility_id) values ($1, $2, $3, $4)',
      [customerId, organizationId, inventoryId, id],
    )
    return id
  }

  const facilities = new Map<string, string>()
  async function addSource({
    country = 'US',
    gridRegion,
    ...source
  }: Source & { facilityId?: string }): Promise<string> {
    const place = `${country} ${gridRegion ?? ''}`
    const facilityId =
      source.facilityId ??
      facilities.get(place) ??
      (await addFacility({ country, gridRegion: gridRegion ?? null }))
    if (source.facilityId === undefined) facilities.set(place, facilityId)
    return insert(
      `insert into emission_sources (customer_id, organization_id, inventory_id, facility_id, source_type, activity, scope, unit,
        frequency, factor_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        customerId,
        organizationId,
        inventoryId,
        facilityId,
        fresh('kind'),
        source.activity,
        source.scope,
        source.unit,
        source.frequency ?? 'year',
        source.factorId ?? null,
      ],
    )
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
