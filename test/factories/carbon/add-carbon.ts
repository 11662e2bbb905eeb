import { z } from 'zod'
import { ActivityImport, activityImports, ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { activities } from '#contract/carbon/activity/activity.ts'
import { dataRequests } from '#contract/carbon/activity/data-requests.ts'
import { evidence, EvidenceFile } from '#contract/carbon/activity/evidence.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { instruments } from '#contract/carbon/activity/instruments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { inventoryApprovals } from '#contract/carbon/approvals/approvals.ts'
import { inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import { customSources } from '#contract/carbon/inventories/custom-sources.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import type { TestApp } from '#test/app.ts'
import { fresh, freshCode } from '#test/factories/fresh.ts'
import type { UserFactories } from '#test/factories/identity/add-users.ts'
import type { OrganizationFactories } from '#test/factories/organizations/add-organizations.ts'
import type { Place } from '#test/factories/place.ts'

type NewRecord = {
  inventoryId: string
  facilityId: string
  sourceId: string
  recordId: string
  /** The first day of the inventory's period, and the only day of the record. */
  day: string
}

export type CarbonFactories = {
  /** An inventory for an unused year. */
  addInventory: (status?: 'draft' | 'locked') => Promise<string>
  /** A site included in an inventory. */
  addChosenFacility: (inventoryId: string) => Promise<string>
  /** A source of purchased electricity at a facility. */
  addSource: (inventoryId: string, facilityId: string) => Promise<string>
  /** The frozen file of an approval. */
  addApproval: () => Promise<string>
  /** A request to unlock a locked inventory, which was withdrawn. */
  addReopening: () => Promise<string>
  /** A custom emission source without assignments, removed if wanted. */
  addCustomSource: (name?: string, isRemoved?: boolean) => Promise<string>
  /** A record of 100 kWh in a new inventory. */
  addRecord: (status?: 'draft' | 'submitted') => Promise<NewRecord>
  /** The result of a new record. */
  addResult: () => Promise<string>
  /** A supplier rate in an inventory, allocated to its sources. */
  addInstrument: (inventoryId: string, sourceIds?: readonly string[]) => Promise<string>
  /** An import of one bill. */
  addImport: () => Promise<string>
  /** A file attached to a record. */
  addEvidence: () => Promise<string>
  /** A data request for one source. */
  addRequest: () => Promise<string>
  /** An imported total in an open inventory. */
  addImported: () => Promise<{ inventoryId: string; batchId: string }>
  /** A custom emission factor of this organization. */
  addFactor: () => Promise<string>
  /** A factor edition that the customer imported. */
  addDataset: () => Promise<string>
}

/** The year of the last inventory added to each test app, because there can be only one per year. */
const inventoryYears = new WeakMap<TestApp, number>()

function nextYear(forecourt: TestApp): number {
  const year = (inventoryYears.get(forecourt) ?? 2100) + 1
  inventoryYears.set(forecourt, year)
  return year
}

type ApprovalFactories = Pick<CarbonFactories, 'addApproval' | 'addReopening'>

function approvalFactories(
  { customerId, organizationId, call, insert }: Place,
  addInventory: CarbonFactories['addInventory'],
): ApprovalFactories {
  return {
    async addApproval() {
      const { files } = await call(inventoryApprovals.list, { inventory: await addInventory('locked') })
      return files[0]?.id ?? ''
    },
    // The factory has one user, and a request is made for what two approved.
    addReopening: async () =>
      insert(
        `insert into inventory_reopenings (customer_id, organization_id, inventory_id, former_status, status, reason, decision,
          decided_at) values ($1, $2, $3, 'locked', 'approved', 'Wrong', 'withdrawn', app_now()) returning id`,
        [customerId, organizationId, await addInventory('locked')],
      ),
  }
}

export function carbonFactories(
  place: Place,
  { addFacility, addMember }: OrganizationFactories & UserFactories,
): CarbonFactories {
  const { forecourt, customerId, organizationId, call, upload, insert } = place
  const addInventory: CarbonFactories['addInventory'] = async (status = 'draft') => {
    const year = nextYear(forecourt)
    const { id } = await call(carbonInventories.add, {
      organizationId,
      name: fresh('Inventory'),
      periodStart: `${year}-01-01`,
      periodEnd: `${year}-12-31`,
      boundary: 'operational',
      // One user does all the steps.
      twoPersonApproval: false,
    })
    if (status === 'locked') {
      await call(carbonInventories.setStatus, { id, status: 'collecting' })
      await call(carbonInventories.setStatus, { id, status: 'in_review' })
      const { location, market } = await call(inventoryApproval.check, { inventory: id })
      const seen = { location, market }
      await call(carbonInventories.setStatus, { id, status: 'approved', reason: 'As agreed', seen })
      await call(carbonInventories.setStatus, { id, status: 'locked', reason: 'As agreed' })
    }
    return id
  }
  const addChosenFacility: CarbonFactories['addChosenFacility'] = async (inventoryId) => {
    const facilityId = await addFacility({ country: 'US', gridRegion: 'CAMX' })
    await call(carbonAssignments.choose, { inventoryId, choices: [{ facilityId, choice: 'included' }] })
    return facilityId
  }
  const assign = async (inventoryId: string, facilityId: string, dataOwnerId?: string): Promise<string> => {
    const { sources } = await call(carbonAssignments.save, {
      inventoryId,
      changes: [
        { facilityId, sourceType: 'electricity', isAssigned: true, ...(dataOwnerId && { dataOwnerId }) },
      ],
    })
    const source = sources.find((one) => one.facilityId === facilityId)
    if (source === undefined) throw new Error('The source was not assigned.')
    return source.id
  }
  const addRecord: CarbonFactories['addRecord'] = async (status = 'draft') => {
    const inventoryId = await addInventory()
    const facilityId = await addChosenFacility(inventoryId)
    const sourceId = await assign(inventoryId, facilityId)
    const { periodStart: day } = await call(carbonInventories.get, { id: inventoryId })
    const { rows } = await call(activities.save, {
      inventoryId,
      rows: [
        { key: '1', record: { sourceId, quantity: '100', unit: 'kWh', periodStart: day, periodEnd: day } },
      ],
    })
    const record = rows[0]?.record
    if (!record) throw new Error(`The record was not saved: ${JSON.stringify(rows)}`)
    if (status === 'submitted')
      await call(activities.submit, { inventoryId, records: [{ id: record.id, version: record.version }] })
    return { inventoryId, facilityId, sourceId, recordId: record.id, day }
  }
  return {
    addInventory,
    ...approvalFactories(place, addInventory),
    addChosenFacility,
    addSource: assign,
    async addCustomSource(name = fresh('Custom source'), isRemoved = false) {
      const { id } = await call(customSources.add, {
        inventoryId: await addInventory(),
        name,
        scope: '3.6',
        activity: 'travel/hotel/uk',
        unit: 'room-night',
      })
      if (isRemoved) await call(customSources.remove, { id })
      return id
    },
    addRecord,
    async addResult() {
      const { inventoryId } = await addRecord()
      const { results } = await call(ledger.rows, { inventoryId })
      return results[0]?.id ?? ''
    },
    async addInstrument(inventoryId, sourceIds = []) {
      const { id } = await call(instruments.save, {
        inventoryId,
        kind: 'supplier_rate',
        name: 'Rate',
        unit: 'kWh',
        kgCo2e: '0.1',
        sourceNote: 'The contract',
        allocations: sourceIds.map((sourceId) => ({ sourceId })),
      })
      return id
    },
    async addImport() {
      const inventoryId = await addInventory()
      const facilityId = await addChosenFacility(inventoryId)
      await assign(inventoryId, facilityId)
      const [{ periodStart }, { code }] = await Promise.all([
        call(carbonInventories.get, { id: inventoryId }),
        call(facilities.get, { id: facilityId }),
      ])
      const day = `1/1/${periodStart.slice(0, 4)}`
      const send = ({ path }: { path: string }, mapping: ImportMapping | null) => {
        const asked = { sheet: null, mapping, usual: { decimal: '.', order: 'mdy' }, sourceId: null }
        const bytes = `Site,Fuel,Service from,Service to,Usage (kWh)\n${code},Electricity,${day},${day},100\n`
        return upload(path, { inventoryId, asked: JSON.stringify(asked) }, { name: 'bills.csv', bytes })
      }
      const { mapping } = ImportPreview.parse(await send(activityImports.read, null))
      const data = await send(activityImports.add, mapping)
      const answer = z.object({ import: ActivityImport.nullable() }).parse(data)
      if (answer.import === null) throw new Error(`Nothing was imported: ${JSON.stringify(data)}`)
      return answer.import.id
    },
    async addEvidence() {
      const { recordId } = await addRecord()
      const data = await upload(
        evidence.add.path,
        { recordId },
        { name: 'bill.pdf', bytes: '%PDF-1.7 a bill' },
      )
      return z.array(EvidenceFile).parse(data)[0]?.id ?? ''
    },
    async addRequest() {
      const inventoryId = await addInventory()
      const facilityId = await addChosenFacility(inventoryId)
      const dataOwnerId = await addMember({
        userName: freshCode('owner.'),
        userType: 'Sustainability manager',
      })
      const sourceId = await assign(inventoryId, facilityId, dataOwnerId)
      const { sent } = await call(dataRequests.ask, {
        inventoryId,
        idempotencyKey: freshCode('').padStart(32, '0'),
        cells: [{ sourceId }],
      })
      return sent[0]?.requestId ?? ''
    },
    async addImported() {
      const inventoryId = await addInventory()
      const facilityId = await addChosenFacility(inventoryId)
      const { periodStart, periodEnd } = await call(carbonInventories.get, { id: inventoryId })
      const { batchId, rows } = await call(importedTotals.add, {
        inventoryId,
        rows: [{ key: '1', facilityId, sourceType: 'natural_gas', periodStart, periodEnd, tonnes: '5' }],
      })
      if (batchId === null) throw new Error(`Nothing was imported: ${JSON.stringify(rows)}`)
      return { inventoryId, batchId }
    },
    async addFactor() {
      const { id } = await call(factors.add, {
        name: fresh('Factor'),
        category: 'Purchased electricity',
        activity: 'electricity/grid',
        scopes: ['2'],
        region: 'CA-QC',
        unit: 'kWh',
        boundary: 'generation',
        validFrom: '2024-01-01',
        gases: [{ gas: 'CO2e', basis: 'co2e', kg: '0.0013' }],
        sourceNote: 'A letter',
      })
      return id
    },
    // Without factors, which an imported edition always has. factor-editions.test.ts imports editions.
    addDataset: () =>
      insert(
        `insert into factor_datasets (customer_id, publisher, title, edition, year, region, license, attribution)
        values ($1, 'Authority', $2, '1', 2024, 'CA', 'Open', 'Authority') returning id`,
        [customerId, fresh('Edition')],
      ),
  }
}
