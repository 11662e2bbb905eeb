import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { PRESETS } from './presets.ts'

export const PROVIDER_MAPPING_LIST = defineList({
  key: 'providerMappings',
  title: 'Provider mappings',
  nouns: ['provider mapping', 'provider mappings'],
  page: '/administration/provider-mappings',
  allow: can(Func.providerMappings, Opr.list),
  exports: can(Func.providerMappings, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Provider mapping', kind: 'text', isSortable: true, isFixed: true },
    provider: {
      title: 'Template',
      kind: 'choice',
      isSortable: true,
      choices: PRESETS.map(({ key, title }) => ({ value: key, label: title })),
    },
    fields: { title: 'Mapped fields', kind: 'integer', isSortable: true },
    version: { title: 'Version', kind: 'integer', isSortable: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
