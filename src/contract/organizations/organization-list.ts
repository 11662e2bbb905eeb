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
    timeZone: { title: 'Time zone', kind: 'text', isSortable: true },
  },
})
