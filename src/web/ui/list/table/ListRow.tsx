import { type ReactNode, useMemo } from 'react'
import { RowCheck } from '../selection/RowCheck.tsx'
import type { ShownColumn } from './shown-column.ts'

/** The selection state of a row; null if rows can't be selected. */
export type Choice = Readonly<{
  label: string
  isOn: boolean
  onChange: (isOn: boolean, how: { isRange: boolean }) => void
}>

type Props<Row> = {
  row: Row
  /** Its position in the whole list, from 0. */
  place: number
  columns: readonly ShownColumn<Row>[]
  /** It is open next to the list. */
  isOpen: boolean
  choice: Choice | null
}

/** One row. Its cells re-render only if the row or the columns change. */
export function ListRow<Row extends object>({ row, place, columns, isOpen, choice }: Props<Row>) {
  const cells = useMemo(
    () =>
      columns.map(({ id, field, className, show }) => (
        <td key={id} className={className} data-fixed={field.isFixed}>
          {show(row)}
        </td>
      )),
    [row, columns],
  )
  return (
    <tr
      aria-rowindex={place + 2}
      aria-current={isOpen || undefined}
      data-selected={isOpen || choice?.isOn || undefined}
    >
      {choice && (
        <td className="fc-choice">
          <RowCheck {...choice} />
        </td>
      )}
      {cells}
    </tr>
  )
}

/** In percent. Varied like real rows. */
const LENGTHS = [38, 62, 48, 70, 54, 44, 66]

type WaitingProps = {
  place: number
  columns: readonly { id: string; className: string | undefined }[]
  hasChoice: boolean
  children?: ReactNode
}

/** A loading row, in the widths of its columns. */
export function WaitingRow({ place, columns, hasChoice, children }: WaitingProps) {
  return (
    <tr className="fc-skeleton-row" aria-rowindex={place + 2}>
      {hasChoice && <td className="fc-choice" aria-hidden="true" />}
      {columns.map(({ id, className }, column) => (
        <td key={id} className={className} data-fixed={column === 0 || undefined}>
          {column === 0 && children}
          <span
            className="fc-skeleton"
            style={{ inlineSize: `${LENGTHS[(place * 3 + column) % LENGTHS.length] ?? 50}%` }}
          />
        </td>
      ))}
    </tr>
  )
}
