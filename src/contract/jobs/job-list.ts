import { defineList } from '../lists/list.ts'

export const JOB_LIST = defineList({
  key: 'jobs',
  title: 'Jobs',
  nouns: ['job', 'jobs'],
  page: '/jobs',
  allow: null,
  exports: null,
  sort: '-createdAt',
  fields: {
    title: { title: 'Job', kind: 'text', isFixed: true },
    state: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'waiting', label: 'Queued' },
        { value: 'running', label: 'Running' },
        { value: 'done', label: 'Done' },
        { value: 'failed', label: 'Failed' },
        { value: 'canceled', label: 'Canceled' },
      ],
    },
    done: { title: 'Done', kind: 'integer' },
    failures: { title: 'Rejected', kind: 'integer', isSortable: true },
    startedBy: { title: 'Started by', kind: 'text' },
    createdAt: { title: 'Started', kind: 'moment', isSortable: true },
    endedAt: { title: 'Ended', kind: 'moment', isSortable: true, isHidden: true },
  },
})
