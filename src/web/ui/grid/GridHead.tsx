import type { GridColumn } from './grid-column.ts'

/** The column headers; they stay in view. */
export function GridHead({ columns }: { columns: readonly GridColumn[] }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" aria-colindex={1} className="fc-grid-number">
          <span className="fc-hidden">Row</span>
        </th>
        {columns.map(({ key, title, kind }, at) => (
          <th key={key} scope="col" aria-colindex={at + 2} data-kind={kind} title={title}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
