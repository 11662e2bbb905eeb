import { fieldsOf, type Choice, type FieldKind, type List, type Referred } from '../lists/list.ts'
import type { Permission } from '../permissions.ts'

/** What a rule may speak of, as `Variables` by its name in the rule. */
export type Variable = Readonly<{
  title: string
  kind: FieldKind
  choices?: readonly Choice[]
  refersTo?: Referred
  unit?: string
}>

export type Variables = Readonly<Record<string, Variable>>

/** The fields of a list that somebody may filter by: the others do not exist for them. */
export function variablesOf(list: List, may: (permission: Permission) => boolean): Variables {
  return Object.fromEntries(fieldsOf(list, may).filter(([, field]) => field.isFilterable !== false))
}
