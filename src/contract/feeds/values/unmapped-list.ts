import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { FIELD_CHOICES } from './value-mapping-list.ts'

export const UNMAPPED_LIST = defineList({
  key: 'unmappedValues',
  title: 'Unmapped values',
  nouns: ['unmapped value', 'unmapped values'],
  page: '/administration/unmapped-values',
  allow: can(Func.dataMappings, Opr.list),
  exports: can(Func.dataMappings, Opr.export),
  sort: '-rows',
  fields: {
    raw: { title: 'Value', kind: 'text', isSortable: true, isFixed: true },
    field: { title: 'Field', kind: 'choice', isSortable: true, choices: FIELD_CHOICES },
    rows: { title: 'Rows', kind: 'integer', isSortable: true },
    suggestion: { title: 'Suggestion', kind: 'text', isSortable: true },
    certainty: { title: 'Certainty', kind: 'integer', isSortable: true, unit: '%' },
    providerMapping: { title: 'Provider mapping', kind: 'text', isHidden: true },
    firstSeenAt: { title: 'First seen', kind: 'moment', isSortable: true, isHidden: true },
    lastSeenAt: { title: 'Last seen', kind: 'moment', isSortable: true },
  },
})
