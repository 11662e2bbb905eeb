import type { Permission } from '../permissions.ts'

/**
 * What a field of a list holds, and so how it is shown, compared and exported. `reference`: the number of another
 * record; `references` and `texts`: several; `money`: integer cents in a row, units of currency in a rule; `moment`: an
 * instant; `date`: a day without a time of day.
 */
export type FieldKind =
  | 'text'
  | 'texts'
  | 'choice'
  | 'reference'
  | 'references'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'date'
  | 'moment'
  | 'flag'

/** Lists whose records a field may refer to: the screen offers their names. */
export type Referred = 'organizations' | 'userTypes' | 'lots'

export type Choice = Readonly<{ value: string; label: string }>

/** One field of a list: a column, something to filter by, or both. Its id is the name a rule knows it by. */
export type ListField = Readonly<{
  title: string
  kind: FieldKind
  /** With `choice`: every value, in the order people think of them. */
  choices?: readonly Choice[]
  /** With `reference` and `references`. */
  refersTo?: Referred
  isSortable?: true
  /** Its values stand beside the list with how many rows have each. Not with amounts, days and moments. */
  isFacet?: true
  /** It cannot be filtered by: made of other fields that can. */
  isFilterable?: false
  /** It is no column: for filters alone. */
  isColumn?: false
  /** A column that is hidden until somebody chooses it. */
  isHidden?: true
  /** What the row opens by: always the first column. */
  isFixed?: true
  /** Without this permission the field does not exist: not as a column, a sort, a filter or in an export. */
  needs?: Permission
  /** Behind the number: "mi". */
  unit?: string
}>

/** A list as both sides know it. The words are those of the screen. */
export type List<Field extends string = string> = Readonly<{
  key: string
  /** "Lots". */
  title: string
  /** "lot", "lots". */
  nouns: readonly [one: string, many: string]
  /** The page that shows it. */
  page: `/${string}`
  /** Who may read it, and who may take it away as a file; null: nobody. Null too where everybody signed in may read it. */
  allow: Permission | null
  exports: Permission | null
  /** Nobody takes it away in somebody else's skin. */
  isTakenByOneself?: true
  /** In the order in which the columns stand at first. */
  fields: Readonly<Record<Field, ListField>>
  /** As in the URL: `-updatedAt`. */
  sort: string
}>

/** Keeps the names of the fields as types. */
export function defineList<const Field extends string>(list: List<Field>): List<Field> {
  return list
}

type May = (permission: Permission) => boolean

/** The fields that are there for somebody, by their ids, in order. */
export function fieldsOf<Field extends string>(list: List<Field>, may: May): [id: Field, field: ListField][] {
  const ids = fieldIds(list)
  return ids.flatMap((id): [Field, ListField][] => {
    const field = list.fields[id]
    return field.needs === undefined || may(field.needs) ? [[id, field]] : []
  })
}

/** Every field of a list by its id. */
export function fieldIds<Field extends string>(list: List<Field>): Field[] {
  const isField = (id: string): id is Field => Object.hasOwn(list.fields, id)
  return Object.keys(list.fields).filter(isField)
}
