import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

const ofInventory = {
  input: async ({ addInventory }: TestOrganization) => ({ inventoryId: await addInventory() }),
  foreign: foreignTo(404),
}

/** A record with the given status. */
const inReview = (status: 'draft' | 'submitted') => ({
  input: async ({ addRecord }: TestOrganization) => {
    const { inventoryId, recordId } = await addRecord(status)
    return { inventoryId, records: [{ id: recordId, version: 1 }], comment: 'Look at the unit again.' }
  },
  foreign: foreignTo(404),
})

const ofTwo = {
  input: async ({ addInventory }: TestOrganization) => ({
    before: await addInventory(),
    after: await addInventory(),
  }),
  foreign: foreignTo(404),
}

const ofImport = {
  input: async ({ addImported }: TestOrganization) => addImported(),
  foreign: foreignTo(404),
}

const ofBatch = {
  input: async ({ addRecord }: TestOrganization) => {
    const { inventoryId, sourceId } = await addRecord()
    return { inventoryId, idempotencyKey: 'a'.repeat(32), cells: [{ sourceId }] }
  },
  allowedStatus: 409,
  foreign: foreignTo(404),
}

const ofRecord = {
  input: async ({ addRecord }: TestOrganization) => ({ id: (await addRecord()).recordId }),
  foreign: foreignTo(404),
}

export const ledgerCases: Pick<
  Cases<typeof contract>,
  | 'activities'
  | 'activityImports'
  | 'carbonComparison'
  | 'carbonGroup'
  | 'dataRequests'
  | 'evidence'
  | 'importedTotals'
  | 'instruments'
  | 'ledger'
  | 'carbonOpenItems'
> = {
  activities: {
    list: ofInventory,
    unusual: ofInventory,
    save: {
      input: async ({ addRecord }) => {
        const { inventoryId, sourceId, day } = await addRecord()
        return {
          inventoryId,
          rows: [
            { key: '1', record: { sourceId, quantity: '7', unit: 'kWh', periodStart: day, periodEnd: day } },
          ],
        }
      },
      foreign: foreignTo(404),
    },
    preview: {
      input: async ({ addRecord }) => {
        const { sourceId, day } = await addRecord()
        return { record: { sourceId, quantity: '7', unit: 'kWh', periodStart: day, periodEnd: day } }
      },
      foreign: foreignTo(404),
    },
    remove: ofRecord,
    restore: ofRecord,
    submit: {
      ...inReview('draft'),
      input: async ({ addRecord }: TestOrganization) => {
        const { inventoryId, recordId } = await addRecord()
        return { inventoryId, records: [{ id: recordId, version: 1 }] }
      },
    },
    approve: inReview('submitted'),
    returnRecords: inReview('submitted'),
  },
  carbonComparison: { compare: ofTwo, export: ofTwo },
  // Access across organizations is tested in carbon-group.test.ts.
  carbonGroup: { get: { input: () => ({}), foreign: 'takes no ids' } },
  // No data owner is assigned, so there is no one to ask. data-requests.test.ts sends requests.
  dataRequests: {
    list: {
      input: async ({ addInventory }) => ({ inventory: await addInventory() }),
      foreign: foreignTo(404),
    },
    get: {
      input: async ({ addRequest }) => ({ id: await addRequest() }),
      foreign: foreignTo(404),
    },
    mine: { input: () => ({}), foreign: 'takes no ids' },
    ask: ofBatch,
    remind: ofBatch,
  },
  importedTotals: {
    list: ofInventory,
    // The generic test file is read as it is. imported-totals.test.ts sends files with totals.
    read: ofInventory,
    add: {
      input: async ({ addRecord, addFacility }) => ({
        inventoryId: (await addRecord()).inventoryId,
        rows: [
          {
            key: '1',
            facilityId: await addFacility(),
            sourceType: 'natural_gas',
            periodStart: '2100-01-01',
            periodEnd: '2100-12-31',
            tonnes: '7',
          },
        ],
      }),
      foreign: foreignTo(404),
    },
    remove: ofImport,
    restore: ofImport,
  },
  // The generic test file contains no bills. activity-imports.test.ts sends some.
  activityImports: {
    list: ofInventory,
    read: {
      input: async ({ addInventory }) => ({ inventoryId: await addInventory(), asked: '{}' }),
      allowedStatus: 400,
      foreign: foreignTo(404),
    },
    add: {
      input: async ({ addInventory }) => ({ inventoryId: await addInventory(), asked: '{}' }),
      allowedStatus: 400,
      foreign: foreignTo(404),
    },
    undo: { input: async ({ addImport }) => ({ id: await addImport() }), foreign: foreignTo(404) },
    origin: {
      input: async ({ addRecord }) => ({ recordId: (await addRecord()).recordId }),
      foreign: foreignTo(404),
    },
    lines: {
      input: async ({ addImport }) => ({ id: await addImport() }),
      foreign: foreignTo(404),
    },
    refused: {
      input: async ({ addImport }) => ({ id: await addImport() }),
      foreign: foreignTo(404),
    },
  },
  evidence: {
    list: {
      input: async ({ addRecord }) => ({ recordId: (await addRecord()).recordId }),
      foreign: foreignTo(404),
    },
    add: {
      input: async ({ addRecord }) => ({ recordId: (await addRecord()).recordId }),
      foreign: foreignTo(404),
    },
    download: {
      input: async ({ addEvidence }) => ({ id: await addEvidence() }),
      foreign: foreignTo(404),
    },
    remove: {
      input: async ({ addEvidence }) => ({ id: await addEvidence() }),
      foreign: foreignTo(404),
    },
    restore: {
      input: async ({ addEvidence }) => ({ id: await addEvidence() }),
      foreign: foreignTo(404),
    },
  },
  instruments: {
    list: ofInventory,
    save: {
      input: async ({ addInventory }) => ({
        inventoryId: await addInventory(),
        kind: 'supplier_rate',
        name: 'Green rate',
        unit: 'kWh',
        kgCo2e: '0.05',
        sourceNote: 'The contract',
        allocations: [],
      }),
      foreign: foreignTo(404),
    },
    remove: {
      input: async ({ addInventory, addInstrument }) => ({ id: await addInstrument(await addInventory()) }),
      foreign: foreignTo(404),
    },
  },
  carbonOpenItems: {
    counts: ofInventory,
    list: {
      input: async ({ addInventory }: TestOrganization) => ({
        inventoryId: await addInventory(),
        kind: 'missing' as const,
      }),
      foreign: foreignTo(404),
    },
  },
  ledger: {
    list: {
      input: () => ({ search: 'a', sort: '-kg', page: 1, pageSize: 20 }),
      foreign: 'takes no ids',
    },
    totals: ofInventory,
    rows: ofInventory,
    explain: {
      input: async ({ addResult }) => ({ id: await addResult() }),
      foreign: foreignTo(404),
    },
    recalculate: ofInventory,
  },
}
