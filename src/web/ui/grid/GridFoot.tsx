import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconArrowBarToDown } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useMemo } from 'react'
import { Tip } from '#web/ui/controls/Tip.tsx'
import { rangeOf } from './grid-positions.ts'
import { findProblems, nextProblem, problemAt, type Problems } from './problems.ts'
import type { GridAction } from './grid-state.ts'
import type { GridHandle } from './use-grid.ts'

type Props = {
  grid: GridHandle
  problems: Problems
  id: string
  table: RefObject<HTMLElement | null>
  tools: ReactNode
}

/** Below the table: the problem of the active cell, the result of a paste, the number of problems, and undo. */
export function GridFoot({ grid: { state, settings, act }, problems, id, table, tools }: Props) {
  const { active, anchor, told, rows } = state
  const found = useMemo(
    () => findProblems(rows, settings.columns, problems),
    [rows, settings.columns, problems],
  )
  const row = rows[active.row] ?? null
  const column = settings.columns[active.column]
  const here = problemAt(row, column, problems.get(row?.key ?? '') ?? null)
  const errors = found.filter(({ tone }) => tone === 'error').length
  const next = nextProblem(found, active)
  const range = rangeOf(anchor, active)
  const chosen = (range.bottom - range.top + 1) * (range.last - range.first + 1)
  const run = (action: GridAction) => {
    act(action)
    table.current?.focus({ preventScroll: true })
  }
  return (
    <div className="fc-grid-foot">
      <div className="fc-grid-tools">
        <Tool
          label="Undo"
          keys="Ctrl Z"
          isOff={state.past.length === 0}
          onClick={() => run({ type: 'undo' })}
        >
          <IconArrowBackUp size={16} className="fc-flip" aria-hidden="true" />
        </Tool>
        <Tool
          label="Redo"
          keys="Ctrl Y"
          isOff={state.future.length === 0}
          onClick={() => run({ type: 'redo' })}
        >
          <IconArrowForwardUp size={16} className="fc-flip" aria-hidden="true" />
        </Tool>
        <Tool label="Fill down" keys="Ctrl D" isOff={false} onClick={() => run({ type: 'fill' })}>
          <IconArrowBarToDown size={16} aria-hidden="true" />
        </Tool>
        {tools}
      </div>
      <output className="fc-grid-told" data-tone={told ? undefined : here?.tone}>
        <bdi>{told?.text ?? here?.text ?? ''}</bdi>
      </output>
      {told !== null && told.leftover !== null && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => void navigator.clipboard.writeText(told.leftover ?? '')}
        >
          Copy the rest
        </Button>
      )}
      {next !== null && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => run({ type: 'go', to: next, isExtending: false })}
        >
          {countWords(errors, found.length - errors)}: next
        </Button>
      )}
      <span className="fc-small fc-faint fc-number fc-only-wide">
        {chosen > 1 ? `${chosen.toLocaleString()} cells, ` : ''}
        {rows.length.toLocaleString()} {rows.length === 1 ? 'row' : 'rows'}
      </span>
      <span id={`${id}-keys`} className="fc-hidden">
        Works like a spreadsheet. Press Enter or F2 to edit a cell and Escape to cancel. After Escape, Tab
        leaves the table.
      </span>
    </div>
  )
}

type ToolProps = { label: string; keys: string; isOff: boolean; onClick: () => void; children: ReactNode }

function Tool({ label, keys, isOff, onClick, children }: ToolProps) {
  return (
    <Tip label={`${label} (${keys})`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={label}
        aria-disabled={isOff}
        data-disabled={isOff}
        onClick={() => {
          if (!isOff) onClick()
        }}
      >
        {children}
      </ActionIcon>
    </Tip>
  )
}

function countWords(errors: number, warnings: number): string {
  const words = [
    ...(errors > 0 ? [`${errors.toLocaleString()} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(warnings > 0 ? [`${warnings.toLocaleString()} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ]
  return words.join(', ')
}
