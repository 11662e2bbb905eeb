import { defineList } from '../lists/list.ts'
import { can, Func, Opr } from '../permissions.ts'

/** What rows are called by the table they stand in. */
export const AUDIT_KINDS = [
  { value: 'customers', label: 'Customer' },
  { value: 'organizations', label: 'Organization' },
  { value: 'users', label: 'User' },
  { value: 'memberships', label: 'Membership' },
  { value: 'user_permissions', label: 'Permission of a user' },
  { value: 'user_types', label: 'User type' },
  { value: 'user_type_permissions', label: 'Permission of a user type' },
  { value: 'sessions', label: 'Session' },
  { value: 'lots', label: 'Lot' },
  { value: 'vehicles', label: 'Vehicle' },
  { value: 'jobs', label: 'Job' },
  { value: 'list_views', label: 'View' },
  { value: 'files', label: 'File' },
  { value: 'white_labels', label: 'Domain' },
  { value: 'email_handlers', label: 'Email handler' },
  { value: 'email_templates', label: 'Email template' },
  { value: 'outbox_mails', label: 'Mail' },
  { value: 'suppressed_addresses', label: 'Suppressed address' },
] as const

export const AUDIT_OPERATIONS = [
  { value: 'insert', label: 'Added' },
  { value: 'update', label: 'Changed' },
  { value: 'delete', label: 'Deleted' },
  { value: 'event', label: 'Event' },
] as const

/** Sorted by time alone, which an index serves: the log may have millions of rows. */
export const AUDIT_LIST = defineList({
  key: 'auditLog',
  title: 'Audit log',
  nouns: ['entry', 'entries'],
  page: '/administration/audit-log',
  allow: can(Func.auditLog, Opr.list),
  exports: can(Func.auditLog, Opr.export),
  isTakenByOneself: true,
  sort: '-at',
  fields: {
    what: { title: 'What', kind: 'text', isFixed: true },
    at: { title: 'When', kind: 'moment', isSortable: true },
    actor: { title: 'Who', kind: 'text' },
    effective: { title: 'As', kind: 'text' },
    operation: { title: 'Change', kind: 'choice', choices: AUDIT_OPERATIONS },
    kind: { title: 'Kind', kind: 'choice', choices: AUDIT_KINDS },
    rowId: { title: 'Number', kind: 'text', isHidden: true },
    call: { title: 'Call', kind: 'text', isHidden: true },
  },
})
