import type { Permission } from '#contract/permissions.ts'
import { cellOf, isChanged, isLocked, type Matrix, nameOf, type Origin, originOf } from './matrix.ts'

/** Whose permissions the matrix shows. */
export type Owner =
  | { kind: 'person'; typeName: string }
  /** `comparedWith`: the name of the type that "only differences" looks at. */
  | { kind: 'type'; name: string; comparedWith?: string | undefined }

/** Why a cell is as it is, in words: where it comes from, and what stands in the way of changing it. */
export function explain(matrix: Matrix, owner: Owner, permission: Permission): string {
  const origin = describeOrigin(matrix, owner, permission)
  const unsaved = isChanged(matrix, permission) ? ' Not saved yet.' : ''
  if (!isLocked(matrix, permission)) return `${origin}${unsaved}`
  const lock = `You do not hold ${nameOf(permission)}, so you cannot`
  return matrix.wanted.has(cellOf(permission)) ? `${origin} ${lock} take it away.` : `${lock} grant it.`
}

function describeOrigin(matrix: Matrix, owner: Owner, permission: Permission): string {
  const origin = originOf(matrix, permission)
  if (owner.kind === 'type') {
    const says = origin === 'set' ? `${owner.name} grants this.` : `${owner.name} does not grant this.`
    const above = matrix.compared?.has(cellOf(permission))
    if (owner.comparedWith === undefined || above === (origin === 'set')) return says
    return `${says} ${owner.comparedWith} ${above ? 'does' : 'does not'}.`
  }
  const says: Record<Origin, string> = {
    inherited: `${owner.typeName} grants this.`,
    set: 'Allowed for this person only.',
    denied: `Denied for this person: ${owner.typeName} grants it.`,
    none: `${owner.typeName} does not grant this.`,
  }
  return says[origin]
}
