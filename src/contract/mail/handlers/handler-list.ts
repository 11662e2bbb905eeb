import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const HANDLER_LIST = defineList({
  key: 'emailHandlers',
  title: 'Email handlers',
  nouns: ['email handler', 'email handlers'],
  page: '/administration/email-handlers',
  allow: can(Func.emailHandlers, Opr.list),
  exports: null,
  sort: 'name',
  fields: {
    name: { title: 'Email handler', kind: 'text', isSortable: true, isFixed: true },
    kind: {
      title: 'Delivery method',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'postmark', label: 'Postmark' },
        { value: 'smtp', label: 'SMTP server' },
        { value: 'outbox', label: 'Outbox only' },
      ],
    },
    fromEmail: { title: 'From', kind: 'text', isSortable: true },
    host: { title: 'Server', kind: 'text', isHidden: true },
    isDefault: { title: 'Default', kind: 'flag' },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
