import type { ReactNode } from 'react'
import type { ListField } from '#contract/lists/list.ts'
import { type ListColumn } from '../list-state.ts'
import { isAtEnd, showValue } from './show-cell-value.tsx'

/** Custom cells for fields whose kind isn't enough. */
export type Cells<Row, Field extends string = string> = Readonly<
  Partial<Record<Field, (row: Row) => ReactNode>>
>

/** A column as the table renders it. */
export type ShownColumn<Row> = Readonly<{
  id: string
  field: ListField
  className: string | undefined
  show: (row: Row) => ReactNode
}>

/** The visible columns in order, each with its cell renderer. */
export function showColumns<Row extends object>(
  columns: readonly ListColumn[],
  chosen: readonly string[],
  cells: Cells<Row>,
): ShownColumn<Row>[] {
  return chosen.flatMap((id) => {
    const column = columns.find((one) => one.id === id)
    if (!column) return []
    const { field } = column
    return [
      {
        id,
        field,
        className: isAtEnd(field) ? 'fc-end fc-number' : undefined,
        show: cells[id] ?? ((row: Row) => showValue(id, field, row)),
      },
    ]
  })
}
