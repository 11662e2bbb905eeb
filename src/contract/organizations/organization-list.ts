import { defineList } from '../lists/list.ts'
import { can, Func, Opr } from '../permissions.ts'

export const ORGANIZATION_LIST = defineList({
  key: 'organizations',
  title: 'Organizations',
  nouns: ['organization', 'organizations'],
  page: '/organizations',
  allow: can(Func.organizations, Opr.list),
  exports: can(Func.organizations, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Organization', kind: 'text', isSortable: true, isFixed: true },
    country: { title: 'Country', kind: 'text', isSortable: true },
    facilities: { title: 'Facilities', kind: 'integer', isSortable: true },
    people: { title: 'People', kind: 'integer', isSortable: true },
    progress: {
      title: 'Progress',
      kind: 'choice',
      choices: [
        { value: 'empty', label: 'Not started' },
        { value: 'partly', label: 'In progress' },
        { value: 'complete', label: 'Complete' },
      ],
    },
    status: {
      title: 'Status',
      kind: 'choice',
      choices: [
        { value: 'active', label: 'Active' },
        { value: 'archived', label: 'Archived' },
      ],
    },
    timeZone: { title: 'Time zone', kind: 'text', isSortable: true, isHidden: true },
  },
})
