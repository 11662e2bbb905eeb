import type { Permission } from '../permissions.ts'

/**
 * The type of a list field, which determines how it is shown, compared and exported. `reference`: the ID of another
 * record; `references` and `texts`: several; `money`: integer cents in a row, currency units in a rule; `moment`:
 * an instant; `date`: a day without a time.
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

/** Lists that fields can refer to; the screen offers their names. */
export type Referred = 'organizations' | 'userTypes' | 'lots' | 'inventories'

export type Choice = Readonly<{ value: string; label: string }>

/** A field of a list: a column, a filter, or both. Its key is its name in rules. */
export type ListField = Readonly<{
  title: string
  kind: FieldKind
  /** For `choice`: all values, in display order. */
  choices?: readonly Choice[]
  /** For `reference` and `references`. */
  refersTo?: Referred
  isSortable?: true
  /** Shown as a facet with row counts. Not for amounts, dates and instants. */
  isFacet?: true
  /** Computed from other fields, so it can't be filtered by. */
  isFilterable?: false
  /** Only for filters, not a column. */
  isColumn?: false
  /** A column that is hidden by default. */
  isHidden?: true
  /** The link that opens the row: always the first column. */
  isFixed?: true
  /** Without this permission the field doesn't exist: no column, sort, filter or export. */
  needs?: Permission
  /** The cell of this other column shows the value too, so an export of that column gets a column for it. */
  shownIn?: string
  /** After the number: "mi". */
  unit?: string
}>

/** A list as both sides know it, with its labels. */
export type List<Field extends string = string> = Readonly<{
  key: string
  /** "Lots". */
  title: string
  /** "lot", "lots". */
  nouns: readonly [one: string, many: string]
  /** The page that shows the list. */
  page: `/${string}`
  /**
   * The permissions to read and to export it. Null for `exports`: nobody can. Null for `allow`: every signed-in
   * user can.
   */
  allow: Permission | null
  exports: Permission | null
  /** Its export menu also offers a file with every column. */
  exportsEverything?: true
  /** Can't be exported while impersonating. */
  isTakenByOneself?: true
  /** In the default column order. */
  fields: Readonly<Record<Field, ListField>>
  /** As in the URL: `-updatedAt`. */
  sort: string
}>

/** Preserves the field names as types. */
export function defineList<const Field extends string>(list: List<Field>): List<Field> {
  return list
}

type May = (permission: Permission) => boolean

/** The fields a user may see, with their keys, in order. */
export function fieldsOf<Field extends string>(list: List<Field>, may: May): [id: Field, field: ListField][] {
  const ids = fieldIds(list)
  return ids.flatMap((id): [Field, ListField][] => {
    const field = list.fields[id]
    return field.needs === undefined || may(field.needs) ? [[id, field]] : []
  })
}

/** The keys of all fields. */
export function fieldIds<Field extends string>(list: List<Field>): Field[] {
  const isField = (id: string): id is Field => Object.hasOwn(list.fields, id)
  return Object.keys(list.fields).filter(isField)
}
