import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

export const MAIL_LIST = defineList({
  key: 'outbox',
  title: 'Outbox',
  nouns: ['email', 'emails'],
  page: '/administration/outbox',
  allow: can(Func.emailHandlers, Opr.list),
  exports: null,
  sort: '-createdAt',
  fields: {
    subject: { title: 'Subject', kind: 'text', isSortable: true, isFixed: true },
    toName: { title: 'To', kind: 'text', isSortable: true },
    toEmail: { title: 'Address', kind: 'text', isHidden: true },
    state: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'waiting', label: 'Queued' },
        { value: 'kept', label: 'Not sent' },
        { value: 'sent', label: 'Sent' },
        { value: 'failed', label: 'Failed' },
      ],
    },
    outcome: {
      title: 'Delivery events',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'none', label: 'None' },
        { value: 'delivered', label: 'Delivered' },
        { value: 'opened', label: 'Opened' },
        { value: 'clicked', label: 'Clicked' },
        { value: 'bounced', label: 'Bounced' },
        { value: 'complained', label: 'Marked as spam' },
      ],
    },
    attempts: { title: 'Attempts', kind: 'integer', isHidden: true },
    error: { title: 'Error', kind: 'text', isHidden: true },
    createdAt: { title: 'Created', kind: 'moment', isSortable: true },
    sentAt: { title: 'Sent', kind: 'moment', isSortable: true },
  },
})
