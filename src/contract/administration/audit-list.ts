import { defineList } from '../lists/list.ts'
import { can, Func, Opr } from '../permissions.ts'

/** Labels for the rows of each table. */
export const AUDIT_KINDS = [
  { value: 'customers', label: 'Customer' },
  { value: 'organizations', label: 'Organization' },
  { value: 'users', label: 'User' },
  { value: 'memberships', label: 'Membership' },
  { value: 'user_permissions', label: 'User permission' },
  { value: 'user_types', label: 'User type' },
  { value: 'user_type_permissions', label: 'User type permission' },
  { value: 'sessions', label: 'Session' },
  { value: 'lots', label: 'Lot' },
  { value: 'vehicles', label: 'Vehicle' },
  { value: 'jobs', label: 'Job' },
  { value: 'list_views', label: 'View' },
  { value: 'files', label: 'File' },
  { value: 'white_labels', label: 'Domain' },
  { value: 'email_handlers', label: 'Email handler' },
  { value: 'email_templates', label: 'Email template' },
  { value: 'outbox_mails', label: 'Email' },
  { value: 'suppressed_addresses', label: 'Suppressed address' },
] as const

export const AUDIT_OPERATIONS = [
  { value: 'insert', label: 'Added' },
  { value: 'update', label: 'Changed' },
  { value: 'delete', label: 'Deleted' },
  { value: 'event', label: 'Event' },
] as const

/** Can be sorted only by time, which has an index: the log can have millions of rows. */
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
    what: { title: 'Action', kind: 'text', isFixed: true },
    at: { title: 'Time', kind: 'moment', isSortable: true },
    actor: { title: 'User', kind: 'text' },
    effective: { title: 'Impersonating', kind: 'text' },
    operation: { title: 'Operation', kind: 'choice', choices: AUDIT_OPERATIONS },
    kind: { title: 'Record type', kind: 'choice', choices: AUDIT_KINDS },
    rowId: { title: 'Record ID', kind: 'text', isHidden: true },
    call: { title: 'API call', kind: 'text', isHidden: true },
  },
})
