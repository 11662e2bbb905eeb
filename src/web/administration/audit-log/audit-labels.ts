import { capitalize } from '#contract/capitalize.ts'
import { AUDIT_KINDS } from '#contract/administration/audit-list.ts'
import type { AuditEntry } from '#contract/administration/audit-log.ts'

/** What happened to these is a sentence of its own. */
export const SENTENCES = new Set(['user_permissions', 'user_type_permissions', 'memberships'])
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
  if (SENTENCES.has(kind)) return what
  const label = labelOfKind(kind)
  const word = label.charAt(0).toLowerCase() + label.slice(1)
  // A row without a name.
  return what === word ? `${VERBS[operation]} ${word}` : `${VERBS[operation]} ${word} ${what}`
}

/** "Dana Whitfield", or the product itself. Nobody knows who failed to sign in. */
export const actorOf = ({ actor, kind }: Pick<AuditEntry, 'actor' | 'kind'>): string =>
  actor ?? (kind === 'sign_ins' ? 'Not signed in' : 'Forecourt')
