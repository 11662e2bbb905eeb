import type { Caller, TestApp } from '#test/app.ts'
import type { TestOrganization } from '../test-organization.ts'
import { csv } from './imported-bill.ts'
import { importWorld } from './import-world.ts'

export const BILL_SOURCES = {
  power: null,
  gas: { activity: 'combustion/natural-gas', unit: 'therm', scope: '1', type: 'natural_gas' },
  diesel: { activity: 'mobile-combustion/diesel-fuel', unit: 'gallon', scope: '1', type: 'diesel' },
  water: { activity: 'water/supply', unit: 'gallon', scope: '3.1', type: 'water' },
  refrigerant: { activity: 'refrigerant/hfc-134a', unit: 'kg', scope: '1', type: 'refrigerant_vehicles' },
  waste: { activity: 'waste/landfilled/mixed-msw', unit: 'short ton', scope: '3.5', type: 'waste_mixed' },
} as const
export type BillSource = keyof typeof BILL_SOURCES

/** What a file for one source asks, and what is stored of it without and with answers: quantities with units. */
export const askedImporter =
  (of: () => { forecourt: TestApp; ford: TestOrganization; admin: Caller }) =>
  async (
    bytes: string | Uint8Array,
    { to = 'power', answers = {} }: { to?: BillSource; answers?: Record<string, string> } = {},
  ) => {
    const { forecourt, ford, admin } = of()
    const one = await importWorld(forecourt, ford, admin)
    await forecourt.owner.query(
      `insert into organization_profiles (customer_id, organization_id, currency)
      select customer_id, organization_id, 'USD' from carbon_inventories where id = $1
      on conflict (customer_id, organization_id) do update set currency = 'USD'`,
      [one.inventoryId],
    )
    const wanted = BILL_SOURCES[to]
    const own =
      to === 'gas' || wanted === null
        ? one[to === 'gas' ? 'gas' : 'power']
        : await one.addSource({ ...wanted, facilityId: one.site })
    if (wanted !== null && to !== 'gas')
      await forecourt.owner.query('update emission_sources set source_type = $2, name = null where id = $1', [
        own,
        wanted.type,
      ])
    const options = { sourceId: own, ...(typeof bytes !== 'string' && { file: 'bills.xlsx' }) }
    const { first, last } = await one.bring(bytes, answers, options)
    const records = (await one.records()).toSorted((a, b) => (a.periodStart < b.periodStart ? -1 : 1))
    return {
      asked: first.questions.filter(({ answer }) => answer === null).map(({ id }) => id),
      stored: records.map(({ quantity, unit }) => `${quantity} ${unit}`),
      costs: records.map(({ cost }) => cost),
      says: last.shown.flatMap(({ problems }) => problems.map(({ message }) => message)).join(' '),
    }
  }

export const DAYS = ['2025-01-01,2025-01-31', '2025-02-01,2025-02-28']
/** A file with a line for each of the days. */
export const bill = (head: string, ...values: string[]) =>
  csv(`From,To,${head}`, ...values.map((value, at) => `${DAYS[at]},${value}`))
