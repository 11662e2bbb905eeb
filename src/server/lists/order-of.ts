import { sql, type RawBuilder } from 'kysely'
import type { ListField } from '#contract/lists/list.ts'
import type { SortTerm } from '#contract/queried-list.ts'
import type { FieldSql, ListSource } from './list-source.ts'

/**
 * The sort terms as SQL, ending with the row ID so that pages never overlap. Text is sorted ignoring case, choices in
 * declared order, references by name. Missing values come last in both directions.
 */
export function orderOf<Field extends string>(
  source: ListSource<Field>,
  terms: readonly SortTerm<Field>[],
): RawBuilder<unknown> {
  let isLastDown = false
  const parts = terms.map(({ field, descending }) => {
    const column = source.fields[field]
    isLastDown = descending !== (column.isOrderReversed ?? false)
    const by = orderExpression(source.list.fields[field], column)
    if (!isLastDown) return sql`${by}`
    return column.isNeverNull ? sql`${by} desc` : sql`${by} desc nulls last`
  })
  // The ID has the direction of the last term, as in the indexes.
  return sql.join([...parts, isLastDown ? sql`${source.id} desc` : sql`${source.id}`])
}

function orderExpression(field: ListField, { value, shown, order }: FieldSql): RawBuilder<unknown> {
  if (order !== undefined) return order
  if (shown !== undefined) return sql`lower(${shown})`
  if (field.kind === 'text') return sql`lower(${value})`
  if (field.kind !== 'choice' || field.choices === undefined) return value
  const declared = field.choices.map((choice) => sql.lit(choice.value))
  return sql`array_position(array[${sql.join(declared)}], ${value})`
}
