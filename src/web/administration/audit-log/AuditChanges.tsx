import type { AuditChange, OpenAuditEntry } from '#contract/administration/audit-log.ts'
import { SENTENCES } from './audit-labels.ts'

/** Values before and after: two columns for a change, one for an added or deleted row or an event. */
export function AuditChanges({ entry: { operation, kind, changes } }: { entry: OpenAuditEntry }) {
  // Of an event or a permission, its sentence says everything.
  if (changes.length === 0 && (operation !== 'update' || SENTENCES.has(kind))) return null
  if (changes.length === 0) {
    return (
      <p className="fc-small fc-faint">
        Its own fields stayed the same. What belongs to it, such as permissions, has entries of its own.
      </p>
    )
  }
  const hasBefore = operation === 'update' || operation === 'delete'
  const hasAfter = operation !== 'delete'
  return (
    <table className="fc-audit-changes">
      <caption className="fc-hidden">Changes</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          {hasBefore && <th scope="col">Before</th>}
          {hasAfter && <th scope="col">{operation === 'event' ? 'Value' : 'After'}</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">
              <bdi>{change.field}</bdi>
            </th>
            {hasBefore && (
              <td>
                <Value of={change} side="before" />
              </td>
            )}
            {hasAfter && (
              <td>
                <Value of={change} side="after" />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ of, side }: { of: AuditChange; side: 'before' | 'after' }) {
  const value = of[side]
  if (value === null) return <span className="fc-faint">Empty</span>
  if (of.isCovered) return <span className="fc-faint">Hidden</span>
  return side === 'before' ? (
    <del>
      <bdi>{value}</bdi>
    </del>
  ) : (
    <ins>
      <bdi>{value}</bdi>
    </ins>
  )
}
