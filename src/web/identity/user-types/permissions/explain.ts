import type { Permission } from '#contract/permissions.ts'
import { cellOf, isChanged, isLocked, type Matrix, nameOf, type Origin, originOf } from './matrix.ts'

/** Whose permissions the matrix shows. */
export type Owner =
  | { kind: 'user'; typeName: string }
  /** `comparedWith`: the type to which "differences only" compares. */
  | { kind: 'type'; name: string; comparedWith?: string | undefined }

/** Explains a cell as sentences: where its state comes from, and why it can't be changed. */
export function explain(matrix: Matrix, owner: Owner, permission: Permission): string {
  const origin = describeOrigin(matrix, owner, permission)
  const unsaved = isChanged(matrix, permission) ? ' Not saved yet.' : ''
  if (!isLocked(matrix, permission)) return `${origin}${unsaved}`
  const lock = `You don't have ${nameOf(permission)}, so you can't`
  return matrix.wanted.has(cellOf(permission)) ? `${origin} ${lock} remove it.` : `${lock} grant it.`
}

function describeOrigin(matrix: Matrix, owner: Owner, permission: Permission): string {
  const origin = originOf(matrix, permission)
  if (owner.kind === 'type') {
    const text = origin === 'set' ? `${owner.name} grants this.` : `${owner.name} doesn't grant this.`
    const above = matrix.compared?.has(cellOf(permission))
    if (owner.comparedWith === undefined || above === (origin === 'set')) return text
    return `${text} ${owner.comparedWith} ${above ? 'does' : "doesn't"}.`
  }
  const texts: Record<Origin, string> = {
    inherited: `${owner.typeName} grants this.`,
    set: 'Granted for this user only.',
    denied: `Denied for this user. ${owner.typeName} grants it.`,
    none: `${owner.typeName} doesn't grant this.`,
  }
  return texts[origin]
}
