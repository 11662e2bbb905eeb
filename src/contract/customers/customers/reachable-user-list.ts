import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** People found across all customers. */
export const FOUND_LIST = defineList({
  key: 'foundUsers',
  title: 'Find people',
  nouns: ['person', 'people'],
  page: '/customers/people',
  allow: can(Func.customers, Opr.list),
  exports: null,
  sort: 'fullName',
  fields: {
    fullName: { title: 'Name', kind: 'text', isSortable: true, isFixed: true },
    customerName: { title: 'Customer', kind: 'text', isSortable: true },
    email: { title: 'E-mail', kind: 'text', isSortable: true },
    state: {
      title: 'State',
      kind: 'choice',
      choices: [
        { value: 'active', label: 'Active' },
        { value: 'invited', label: 'Invited' },
        { value: 'off', label: 'Switched off' },
      ],
    },
    lastSignInAt: { title: 'Last sign-in', kind: 'moment', isSortable: true },
  },
})
