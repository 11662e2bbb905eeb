import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { SCOPE3_CATEGORIES } from '../inventories/inventory-schema.ts'

const SCOPES = [
  { value: '1', label: 'Scope 1' },
  { value: '2', label: 'Scope 2' },
  ...SCOPE3_CATEGORIES.map((name, at) => ({ value: `3.${at + 1}`, label: `3.${at + 1} ${name}` })),
  { value: 'outside', label: 'Outside of scopes' },
]

/** What a result covers, by its part. */
const PARTS = [
  { value: 'main', label: 'Activity' },
  { value: 'outside', label: 'Biogenic CO2' },
  { value: 'upstream', label: 'Well-to-tank' },
  { value: 'losses', label: 'T&D losses' },
  { value: 'upstream_losses', label: 'Well-to-tank of losses' },
  { value: 'imported', label: 'Imported total' },
]

/**
 * The results of all inventories: one per record, month, part and scope 2 method, and one per imported total and month. They add
 * up to the totals.
 */
export const LEDGER_LIST = defineList({
  key: 'ledger',
  title: 'Ledger',
  nouns: ['result', 'results'],
  page: '/carbon/ledger',
  allow: can(Func.carbonInsights, Opr.list),
  exports: can(Func.carbonInsights, Opr.export),
  sort: 'month',
  fields: {
    source: { title: 'Source', kind: 'text', isSortable: true, isFixed: true },
    facility: { title: 'Facility', kind: 'text', isSortable: true },
    month: { title: 'Month', kind: 'date', isSortable: true },
    scope: { title: 'Scope', kind: 'choice', choices: SCOPES, isSortable: true },
    kg: { title: 'kg CO2e', kind: 'decimal', isSortable: true },
    quantity: { title: 'Quantity', kind: 'decimal' },
    unit: { title: 'Unit', kind: 'text' },
    factor: { title: 'Emission factor', kind: 'text' },
    publisher: { title: 'Publisher', kind: 'text', isHidden: true },
    edition: { title: 'Edition', kind: 'text', isHidden: true },
    part: { title: 'Part', kind: 'choice', choices: PARTS, isHidden: true },
    /** Scopes 1 and 3 are in both totals. */
    method: {
      title: 'Scope 2 method',
      kind: 'choice',
      isHidden: true,
      choices: [
        { value: 'both', label: 'Both totals' },
        { value: 'location', label: 'Location-based' },
        { value: 'market', label: 'Market-based' },
      ],
    },
    inventory: { title: 'Inventory', kind: 'reference', refersTo: 'inventories', isHidden: true },
    biogenicKg: { title: 'kg biogenic CO2', kind: 'decimal', isHidden: true },
    isEstimate: { title: 'Estimate', kind: 'flag', isHidden: true },
    problem: { title: 'Why there is no result', kind: 'text', isHidden: true },
    reference: { title: 'Invoice or reference', kind: 'text', isHidden: true },
    /** How it was calculated, on one line. */
    formula: { title: 'Formula', kind: 'text', isHidden: true, isFilterable: false },
    facilityId: { title: 'Facility ID', kind: 'text', isColumn: false },
    sourceId: { title: 'Source ID', kind: 'text', isColumn: false },
  },
})
