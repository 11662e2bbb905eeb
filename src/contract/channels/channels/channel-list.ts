import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** Labels of the channel kinds. */
export const CHANNEL_KIND_CHOICES = [
  { value: 'google', label: 'Google vehicle ads' },
  { value: 'google-listings', label: 'Google vehicle listings' },
  { value: 'meta', label: 'Meta automotive ads' },
  { value: 'csv', label: 'Custom file' },
] as const
/** Labels of the delivery methods. */
export const DESTINATION_CHOICES = [
  { value: 'pull', label: 'Download link' },
  { value: 'sftp', label: 'SFTP' },
  { value: 'ftps', label: 'FTPS' },
  { value: 'https', label: 'HTTPS' },
] as const
export const RUN_STATE_CHOICES = [
  { value: 'running', label: 'Running' },
  { value: 'sent', label: 'Sent' },
  { value: 'available', label: 'Ready to download' },
  { value: 'unchanged', label: 'Unchanged' },
  { value: 'stopped', label: 'Stopped' },
  { value: 'failed', label: 'Failed' },
] as const

export const CHANNEL_LIST = defineList({
  key: 'channels',
  title: 'Channels',
  nouns: ['channel', 'channels'],
  page: '/inventory/channels',
  allow: can(Func.providerMappings, Opr.list),
  exports: can(Func.providerMappings, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Channel', kind: 'text', isSortable: true, isFixed: true },
    kind: { title: 'Destination', kind: 'choice', isSortable: true, choices: CHANNEL_KIND_CHOICES },
    destination: { title: 'Delivery', kind: 'choice', isSortable: true, choices: DESTINATION_CHOICES },
    isActive: { title: 'On', kind: 'flag', isSortable: true },
    lastState: { title: 'Last run', kind: 'choice', isSortable: true, choices: RUN_STATE_CHOICES },
    listed: { title: 'Vehicles', kind: 'integer', isSortable: true },
    excluded: { title: 'Excluded', kind: 'integer', isSortable: true },
    nextRunAt: { title: 'Next run', kind: 'moment', isSortable: true },
    slowestSeconds: { title: 'Time to update, in seconds', kind: 'integer', isSortable: true },
    waitsSince: { title: 'Out of date since', kind: 'moment', isSortable: true, isHidden: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true, isHidden: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
