import { defineList } from '../lists/list.ts'
import { can, Func, Opr } from '../permissions.ts'

/** Where feeds come from. */
export const FEED_SOURCE_KINDS = ['upload'] as const

export const FEED_SOURCE_LIST = defineList({
  key: 'feedSources',
  title: 'Feed sources',
  nouns: ['feed source', 'feed sources'],
  page: '/inventory/feeds/sources',
  allow: can(Func.vehicles, Opr.list),
  exports: can(Func.vehicles, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Feed source', kind: 'text', isSortable: true, isFixed: true },
    kind: {
      title: 'Comes by',
      kind: 'choice',
      isSortable: true,
      choices: [{ value: 'upload', label: 'Upload' }],
    },
    isActive: { title: 'Active', kind: 'flag' },
    mappingName: { title: 'Provider mapping', kind: 'text' },
    lastRowCount: { title: 'Rows', kind: 'integer', isSortable: true },
    lastRunAt: { title: 'Last applied', kind: 'moment', isSortable: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true, isHidden: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
