import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/**
 * In order: reading, waiting (for a second file), ready or review (needs review), applying, applied. An applied run can go on to
 * undoing and undone.
 */
export const FEED_RUN_STATUSES = [
  'waiting',
  'reading',
  'ready',
  'review',
  'applying',
  'applied',
  'canceled',
  'failed',
  'undoing',
  'undone',
] as const

export const FEED_RUN_LIST = defineList({
  key: 'feedRuns',
  title: 'Feeds',
  nouns: ['feed run', 'feed runs'],
  page: '/inventory/feeds',
  allow: can(Func.vehicles, Opr.list),
  exports: can(Func.vehicles, Opr.export),
  sort: '-createdAt',
  fields: {
    fileName: { title: 'File', kind: 'text', isSortable: true, isFixed: true },
    status: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'waiting', label: 'Waiting for file' },
        { value: 'reading', label: 'Reading' },
        { value: 'ready', label: 'Ready' },
        { value: 'review', label: 'Needs review' },
        { value: 'applying', label: 'Applying' },
        { value: 'applied', label: 'Applied' },
        { value: 'canceled', label: 'Canceled' },
        { value: 'failed', label: 'Failed' },
        { value: 'undoing', label: 'Undoing' },
        { value: 'undone', label: 'Undone' },
      ],
    },
    sourceName: { title: 'Feed source', kind: 'text' },
    mappingName: { title: 'Mapping', kind: 'text', isHidden: true },
    rows: { title: 'Rows', kind: 'integer', isSortable: true },
    new: { title: 'New', kind: 'integer', isSortable: true },
    changed: { title: 'Changed', kind: 'integer', isSortable: true },
    missing: { title: 'Missing', kind: 'integer', isSortable: true },
    refused: { title: 'Rejected', kind: 'integer', isSortable: true },
    createdAt: { title: 'Received', kind: 'moment', isSortable: true },
    createdBy: { title: 'Uploaded by', kind: 'text' },
    appliedAt: { title: 'Applied', kind: 'moment', isSortable: true, isHidden: true },
  },
})
