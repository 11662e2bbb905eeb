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
      title: 'State',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'waiting', label: 'Waiting' },
        { value: 'running', label: 'Running' },
        { value: 'done', label: 'Done' },
        { value: 'failed', label: 'Failed' },
        { value: 'cancelled', label: 'Cancelled' },
      ],
    },
    done: { title: 'Done', kind: 'integer' },
    failures: { title: 'Refused', kind: 'integer', isSortable: true },
    startedBy: { title: 'Started by', kind: 'text' },
    createdAt: { title: 'Started', kind: 'moment', isSortable: true },
    endedAt: { title: 'Ended', kind: 'moment', isSortable: true, isHidden: true },
  },
})
