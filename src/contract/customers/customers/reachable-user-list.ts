import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** Users found across all customers. */
export const FOUND_LIST = defineList({
  key: 'foundUsers',
  title: 'Find users',
  nouns: ['user', 'users'],
  page: '/customers/people',
  allow: can(Func.customers, Opr.list),
  exports: null,
  sort: 'fullName',
  fields: {
    fullName: { title: 'Name', kind: 'text', isSortable: true, isFixed: true },
    customerName: { title: 'Customer', kind: 'text', isSortable: true },
    email: { title: 'Email', kind: 'text', isSortable: true },
    state: {
      title: 'Status',
      kind: 'choice',
      choices: [
        { value: 'active', label: 'Active' },
        { value: 'invited', label: 'Invited' },
        { value: 'off', label: 'Deactivated' },
      ],
    },
    lastSignInAt: { title: 'Last sign-in', kind: 'moment', isSortable: true },
  },
})
