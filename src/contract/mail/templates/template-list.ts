import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const TEMPLATE_LIST = defineList({
  key: 'emailTemplates',
  title: 'Email templates',
  nouns: ['email template', 'email templates'],
  page: '/administration/email-templates',
  allow: can(Func.emailTemplates, Opr.list),
  exports: null,
  sort: 'title',
  fields: {
    title: { title: 'Email template', kind: 'text', isSortable: true, isFixed: true },
    subject: { title: 'Subject', kind: 'text', isSortable: true },
    isChanged: { title: 'Customized', kind: 'flag' },
    version: { title: 'Version', kind: 'integer', isSortable: true, isHidden: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
