import { capitalize } from '#contract/capitalize.ts'
import { AUDIT_KINDS } from '#contract/administration/audit-list.ts'
import type { AuditEntry } from '#contract/administration/audit-log.ts'

const VERBS = { insert: 'Added', update: 'Changed', delete: 'Deleted' } as const

/** "User type" for `user_types`; a table without a label is shown by its name. */
export function labelOfKind(kind: string): string {
  return AUDIT_KINDS.find(({ value }) => value === kind)?.label ?? kind.replaceAll('_', ' ')
}

/** "Changed lot Main street", "Sent a password email". */
export function describeEntry({
  operation,
  kind,
  what,
}: Pick<AuditEntry, 'operation' | 'kind' | 'what'>): string {
  if (operation === 'event') return capitalize(what)
  const word = labelOfKind(kind)
  return `${VERBS[operation]} ${word.charAt(0).toLowerCase()}${word.slice(1)} ${what}`
}

/** "Dana Whitfield", or the product itself. */
export const actorOf = ({ actor }: Pick<AuditEntry, 'actor'>): string => actor ?? 'Forecourt'
