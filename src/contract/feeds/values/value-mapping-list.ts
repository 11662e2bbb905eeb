import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { fieldTitle, MAPPED_FIELDS } from './mapped-fields.ts'

export const FIELD_CHOICES = MAPPED_FIELDS.map((value) => ({ value, label: fieldTitle(value) }))

export const VALUE_MAPPING_LIST = defineList({
  key: 'valueMappings',
  title: 'Data mappings',
  nouns: ['data mapping', 'data mappings'],
  page: '/administration/data-mappings',
  allow: can(Func.dataMappings, Opr.list),
  exports: can(Func.dataMappings, Opr.export),
  sort: 'raw',
  fields: {
    raw: { title: 'Value', kind: 'text', isSortable: true, isFixed: true },
    field: { title: 'Field', kind: 'choice', isSortable: true, choices: FIELD_CHOICES },
    canonical: { title: 'Becomes', kind: 'text', isSortable: true },
    providerMapping: { title: 'Provider mapping', kind: 'text' },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
