import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { INVENTORY_STATUSES, STATUS_NAMES } from './inventory-schema.ts'

export const INVENTORY_LIST = defineList({
  key: 'inventories',
  title: 'Inventories',
  nouns: ['inventory', 'inventories'],
  page: '/carbon',
  allow: can(Func.reportingPeriods, Opr.list),
  // Function 12 has no export operation, so exporting uses the permission of insights (20, 6).
  exports: can(Func.carbonInsights, Opr.export),
  sort: '-periodEnd',
  fields: {
    name: { title: 'Inventory', kind: 'text', isSortable: true, isFixed: true },
    status: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      choices: INVENTORY_STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] })),
    },
    periodStart: { title: 'From', kind: 'date', isSortable: true },
    periodEnd: { title: 'To', kind: 'date', isSortable: true },
    organizationId: { title: 'Organization', kind: 'reference', refersTo: 'organizations', isSortable: true },
    location: {
      title: 'Location-based, t CO2e',
      kind: 'decimal',
      needs: can(Func.carbonInsights, Opr.list),
    },
    market: {
      title: 'Market-based, t CO2e',
      kind: 'decimal',
      needs: can(Func.carbonInsights, Opr.list),
    },
    imported: {
      title: 'Imported totals, t CO2e',
      kind: 'decimal',
      isHidden: true,
      needs: can(Func.carbonInsights, Opr.list),
    },
    coverage: {
      title: 'Coverage',
      kind: 'integer',
      unit: '%',
      isFilterable: false,
      needs: can(Func.carbonInsights, Opr.list),
    },
    boundary: {
      title: 'Consolidation approach',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'operational', label: 'Operational control' },
        { value: 'financial', label: 'Financial control' },
        { value: 'equity', label: 'Equity share' },
      ],
    },
    facilities: { title: 'Facilities', kind: 'integer', isHidden: true },
    sources: { title: 'Sources', kind: 'integer' },
    assigned: { title: 'Assigned', kind: 'integer' },
    isBaseYear: { title: 'Base year', kind: 'flag', isHidden: true },
    gwpSet: {
      title: 'GWP set',
      kind: 'choice',
      isHidden: true,
      choices: ['AR4', 'AR5', 'AR6'].map((value) => ({ value, label: value })),
    },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true, isHidden: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
