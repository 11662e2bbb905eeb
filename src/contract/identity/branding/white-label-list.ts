import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const WHITE_LABEL_LIST = defineList({
  key: 'whiteLabels',
  title: 'White label',
  nouns: ['domain', 'domains'],
  page: '/administration/domain-white-label',
  allow: can(Func.whiteLabel, Opr.list),
  exports: null,
  sort: 'domain',
  fields: {
    domain: { title: 'Domain', kind: 'text', isSortable: true, isFixed: true },
    title: { title: 'Title', kind: 'text', isSortable: true },
    purpose: {
      title: 'Used for',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'office', label: 'Back office' },
        { value: 'public', label: 'Public pages' },
      ],
    },
    state: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'verified', label: 'Verified' },
        { value: 'waiting', label: 'Pending verification' },
      ],
    },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
