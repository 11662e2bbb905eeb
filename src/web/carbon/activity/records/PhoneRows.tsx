import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import type { GridRow } from '#web/ui/grid/grid-column.ts'
import { problemAt, type Problems } from '#web/ui/grid/problems.ts'
import { editText, showCell } from '#web/ui/grid/read-entry.ts'
import type { GridHandle } from '#web/ui/grid/use-grid.ts'

type Props = {
  grid: GridHandle
  problems: Problems
  label: string
  tools: ReactNode
  isFrozen: boolean
  /** The calculated emissions of a row. */
  showPane: (row: GridRow) => ReactNode
  /** The list line of a row, from the texts of its cells. */
  lineOf: (text: (key: string) => string) => PhoneLine
}

export type PhoneLine = Readonly<{ name: string; figure: string; second: string; secondFigure: string }>

/** The grid rows as a list for phones; each row opens as a form. */
export function PhoneRows({ grid, problems, label, tools, isFrozen, showPane, lineOf }: Props) {
  const [open, setOpen] = useState<number | null>(null)
  const { rows } = grid.state
  const { settings } = grid
  const text = (row: GridRow, key: string) => {
    const column = settings.columns.find((one) => one.key === key)
    return column ? showCell(row, column, settings.format) : ''
  }
  return (
    <div className="fc-activity-phone">
      <ul aria-label={label}>
        {rows.map((row, at) => {
          const line = lineOf((key) => text(row, key))
          return (
            <li key={row.key}>
              <button type="button" onClick={() => setOpen(at)}>
                <bdi className="fc-name">{line.name}</bdi>
                <bdi className="fc-number">{line.figure}</bdi>
                <bdi className="fc-second">{line.second}</bdi>
                <bdi className="fc-second fc-number">{line.secondFigure}</bdi>
              </button>
            </li>
          )
        })}
      </ul>
      {rows.length === 0 && <p className="fc-soft">No records yet.</p>}
      <div className="fc-row fc-wrap">
        <Button variant="default" disabled={isFrozen} onClick={() => setOpen(rows.length)}>
          Add record
        </Button>
        {tools}
      </div>
      {open !== null && (
        <RowForm
          key={open}
          place={open}
          grid={grid}
          problems={problems}
          showPane={showPane}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}

type FormProps = Pick<Props, 'grid' | 'problems' | 'showPane'> & { place: number; onClose: () => void }

function RowForm({ place, grid: { state, settings, act }, problems, showPane, onClose }: FormProps) {
  const row = state.rows[place] ?? null
  const lock = row ? (settings.lockOf?.(row) ?? null) : null
  const rowProblems = problems.get(row?.key ?? '') ?? null
  const columns = settings.columns.filter(({ isFixed }) => isFixed !== true)
  return (
    <FormDrawer
      title={row ? `Record ${place + 1}` : 'New record'}
      about={lock ?? 'Saved together with your other changes'}
      onClose={onClose}
    >
      <div className="fc-form">
        <div className="fc-form-fields">
          {columns.map((column) => {
            const problem = problemAt(row, column, rowProblems)
            return (
              <TextInput
                key={column.key}
                label={column.title}
                defaultValue={
                  row ? editText(row, column, settings.format) : (settings.blank?.[column.key] ?? '')
                }
                error={problem?.tone === 'error' ? problem.text : undefined}
                description={problem?.tone === 'warning' ? problem.text : undefined}
                readOnly={lock !== null}
                autoComplete="off"
                inputMode={column.kind === 'number' ? 'decimal' : 'text'}
                onBlur={(event) => {
                  const text = event.currentTarget.value
                  act({
                    type: 'go',
                    to: { row: place, column: settings.columns.indexOf(column) },
                    isExtending: false,
                  })
                  act({ type: 'edit', text })
                  act({ type: 'commit', to: 'stay' })
                }}
              />
            )
          })}
          {row && <div className="fc-wide fc-activity-phone-pane">{showPane(row)}</div>}
          <div className="fc-wide">
            <Button onClick={onClose}>Done</Button>
          </div>
        </div>
      </div>
    </FormDrawer>
  )
}
