import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const SUPPRESSION_LIST = defineList({
  key: 'suppressedAddresses',
  title: 'Suppressed addresses',
  nouns: ['suppressed address', 'suppressed addresses'],
  page: '/administration/suppressed-addresses',
  allow: can(Func.emailHandlers, Opr.list),
  exports: null,
  sort: '-createdAt',
  fields: {
    email: { title: 'Address', kind: 'text', isSortable: true, isFixed: true },
    reason: {
      title: 'Reason',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'bounced', label: 'Hard bounce' },
        { value: 'complained', label: 'Marked as spam' },
      ],
    },
    detail: { title: 'Details', kind: 'text' },
    createdAt: { title: 'Suppressed', kind: 'moment', isSortable: true },
  },
})
