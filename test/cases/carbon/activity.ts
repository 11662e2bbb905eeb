import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'
import type { Place } from '#test/factories/places.ts'

const ofInventory = {
  input: async ({ addInventory }: Place) => ({ inventoryId: await addInventory() }),
  foreign: foreignTo(404),
}

/** Names what is there in one place. */
const inReview = (status: 'draft' | 'submitted') => ({
  input: async ({ addRecord }: Place) => {
    const { inventoryId, recordId } = await addRecord(status)
    return { inventoryId, records: [{ id: recordId, version: 1 }], comment: 'Look at the unit again.' }
  },
  foreign: foreignTo(404),
})

const ofTwo = {
  input: async ({ addInventory }: Place) => ({ before: await addInventory(), after: await addInventory() }),
  foreign: foreignTo(404),
}

const ofImport = {
  input: async ({ addImported }: Place) => addImported(),
  foreign: foreignTo(404),
}

const ofBatch = {
  input: async ({ addRecord }: Place) => {
    const { inventoryId, sourceId } = await addRecord()
    return { inventoryId, press: 'a'.repeat(32), cells: [{ sourceId }] }
  },
  letIn: 409,
  foreign: foreignTo(404),
}

const ofRecord = {
  input: async ({ addRecord }: Place) => ({ id: (await addRecord()).recordId }),
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
      input: async ({ addRecord }: Place) => {
        const { inventoryId, recordId } = await addRecord()
        return { inventoryId, records: [{ id: recordId, version: 1 }] }
      },
    },
    approve: inReview('submitted'),
    releaseLease: inReview('submitted'),
  },
  carbonComparison: { compare: ofTwo, export: ofTwo },
  // What of a sister is told, and to whom, is in carbon-group.test.ts.
  carbonGroup: { get: { input: () => ({}), foreign: 'takes no ids' } },
  // Nobody is assigned, so there is nobody to ask (data-requests.test.ts asks some).
  dataRequests: {
    list: {
      input: async ({ addInventory }) => ({ inventory: await addInventory() }),
      foreign: foreignTo(404),
    },
    get: {
      input: async ({ addRecord }) => ({ id: (await addRecord()).requestId }),
      foreign: foreignTo(404),
    },
    mine: { input: () => ({}), foreign: 'takes no ids' },
    ask: ofBatch,
    remind: ofBatch,
  },
  importedTotals: {
    list: ofInventory,
    // The file that the matrices send is read as it is (imported-totals.test.ts sends some that hold totals).
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
  // The file that the matrices send is no table of bills (activity-imports.test.ts sends some).
  activityImports: {
    list: ofInventory,
    read: {
      input: async ({ addInventory }) => ({ inventoryId: await addInventory(), asked: '{}' }),
      letIn: 400,
      foreign: foreignTo(404),
    },
    add: {
      input: async ({ addInventory }) => ({ inventoryId: await addInventory(), asked: '{}' }),
      letIn: 400,
      foreign: foreignTo(404),
    },
    undo: { input: async ({ addRecord }) => ({ id: (await addRecord()).importId }), foreign: foreignTo(404) },
    refused: {
      input: async ({ addRecord }) => ({ id: (await addRecord()).importId }),
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
    // Its bytes are in no store (evidence.test.ts has some that are).
    download: {
      input: async ({ addRecord }) => ({ id: (await addRecord()).evidenceId }),
      letIn: 404,
      foreign: foreignTo(404),
    },
    remove: {
      input: async ({ addRecord }) => ({ id: (await addRecord()).evidenceId }),
      foreign: foreignTo(404),
    },
    restore: {
      input: async ({ addRecord }) => ({ id: (await addRecord()).evidenceId }),
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
      input: async ({ addRecord }) => ({ id: (await addRecord()).instrumentId }),
      foreign: foreignTo(404),
    },
  },
  ledger: {
    totals: ofInventory,
    rows: ofInventory,
    explain: {
      input: async ({ addRecord }) => ({ id: (await addRecord()).resultId }),
      foreign: foreignTo(404),
    },
    recalculate: ofInventory,
  },
}
