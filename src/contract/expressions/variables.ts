import { fieldsOf, type Choice, type FieldKind, type List, type Referred } from '../lists/list.ts'
import type { Permission } from '../permissions.ts'

/** A field of a rule; its key in `Variables` is its name. */
export type Variable = Readonly<{
  title: string
  kind: FieldKind
  choices?: readonly Choice[]
  refersTo?: Referred
  unit?: string
}>

export type Variables = Readonly<Record<string, Variable>>

/** The fields of a list a user may filter by; all others are unknown to them. */
export function variablesOf(list: List, may: (permission: Permission) => boolean): Variables {
  return Object.fromEntries(fieldsOf(list, may).filter(([, field]) => field.isFilterable !== false))
}
