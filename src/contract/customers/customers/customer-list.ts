import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const CUSTOMER_LIST = defineList({
  key: 'customers',
  title: 'All customers',
  nouns: ['customer', 'customers'],
  page: '/customers',
  allow: can(Func.customers, Opr.list),
  exports: null,
  sort: 'name',
  fields: {
    name: { title: 'Customer', kind: 'text', isSortable: true, isFixed: true },
    status: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'active', label: 'Active' },
        { value: 'suspended', label: 'Suspended' },
        { value: 'closed', label: 'Closed' },
      ],
    },
    domains: { title: 'Domains', kind: 'texts', isHidden: true },
    people: { title: 'Users', kind: 'integer', isSortable: true },
    lots: { title: 'Lots', kind: 'integer', isSortable: true },
    organizations: { title: 'Organizations', kind: 'integer', isHidden: true },
    lastSignInAt: { title: 'Last sign-in', kind: 'moment', isSortable: true },
    createdAt: { title: 'Created', kind: 'moment', isSortable: true },
  },
})
