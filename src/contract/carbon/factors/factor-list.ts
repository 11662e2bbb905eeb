import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** The scopes of the GHG Protocol; `outside` is for biogenic CO2, which is reported separately. */
export const SCOPES = ['1', '2', '3', 'outside'] as const

export const SCOPE_NAMES: Readonly<Record<(typeof SCOPES)[number], string>> = {
  '1': 'Scope 1',
  '2': 'Scope 2',
  '3': 'Scope 3',
  outside: 'Outside of scopes',
}

export const FACTOR_LIST = defineList({
  key: 'factors',
  title: 'Emission factors',
  nouns: ['emission factor', 'emission factors'],
  page: '/carbon/factors',
  allow: can(Func.emissionFactors, Opr.list),
  exports: can(Func.emissionFactors, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Factor', kind: 'text', isSortable: true, isFixed: true },
    region: { title: 'Region', kind: 'text', isSortable: true },
    scope: {
      title: 'Scope',
      kind: 'choice',
      isSortable: true,
      choices: SCOPES.map((value) => ({ value, label: SCOPE_NAMES[value] })),
    },
    unit: { title: 'Unit', kind: 'text', isSortable: true },
    co2e: { title: 'kg CO2e per unit (AR5)', kind: 'decimal', isFilterable: false },
    publisher: { title: 'Publisher', kind: 'text', isSortable: true },
    edition: { title: 'Edition', kind: 'text', isSortable: true, isHidden: true },
    year: { title: 'Year', kind: 'integer', isSortable: true, isHidden: true },
    category: { title: 'Category', kind: 'text', isSortable: true, isHidden: true },
    activity: { title: 'Activity', kind: 'text', isSortable: true, isHidden: true },
    scopes: { title: 'Scope categories', kind: 'texts', isHidden: true },
    basis: {
      title: 'Calorific value',
      kind: 'choice',
      isHidden: true,
      choices: [
        { value: 'gross', label: 'Gross' },
        { value: 'net', label: 'Net' },
      ],
    },
    origin: {
      title: 'Origin',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'library', label: 'Library' },
        { value: 'own', label: 'Custom' },
        { value: 'imported', label: 'Imported' },
      ],
    },
    use: {
      title: 'Use',
      kind: 'choice',
      isHidden: true,
      choices: [
        { value: 'inventory', label: 'Inventories' },
        { value: 'avoided', label: 'Avoided emissions only' },
      ],
    },
    isCurrent: { title: 'Current', kind: 'flag', isHidden: true },
    validFrom: { title: 'Valid from', kind: 'date', isSortable: true },
    validTo: { title: 'Valid to', kind: 'date', isSortable: true, isHidden: true },
  },
})
