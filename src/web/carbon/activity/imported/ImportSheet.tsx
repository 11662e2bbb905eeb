import { useMediaQuery } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import type { CustomSource } from '#contract/carbon/inventories/custom-sources.ts'
import { importedTotals, MAX_IMPORTED } from '#contract/carbon/activity/imported-totals.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { CellProblem, GridRow } from '#web/ui/grid/grid-column.ts'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { useGrid } from '#web/ui/grid/use-grid.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { type PhoneLine, PhoneRows } from '../records/PhoneRows.tsx'
import { errorsInImported, importedColumns, importedRow } from './imported-columns.ts'
import { ReadFile } from './ReadFile.tsx'

const addTotals = send(importedTotals.add)
const removeTotals = send(importedTotals.remove)
const NO_ROWS: readonly GridRow[] = []

type SheetProblems = ReadonlyMap<
  string,
  Readonly<{ of: GridRow; problems: Readonly<Record<string, CellProblem>> }>
>
type Props = {
  inventory: Inventory
  facilities: readonly InventoryFacility[]
  customs: readonly CustomSource[]
}

/** A grid to paste reported totals into. Valid rows are imported; the others stay with their errors. */
export function ImportSheet({ inventory, facilities, customs }: Props) {
  const { id: inventoryId, periodStart, periodEnd } = inventory
  const settings = useMemo(
    () => ({
      columns: importedColumns(facilities, customs),
      blank: { periodStart, periodEnd },
      most: MAX_IMPORTED,
      format: localeFormat(),
    }),
    [facilities, customs, periodStart, periodEnd],
  )
  const grid = useGrid(NO_ROWS, settings)
  const { rows } = grid.state
  const [answers, setAnswers] = useState<SheetProblems>(new Map())
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const { release } = useUnsavedGuard(rows.length > 0)
  const problems = useMemo(() => problemsOf(rows, answers), [rows, answers])
  const add = useMutation({ mutationFn: addTotals, onError: (failure) => showError(failure) })

  function save() {
    const ready = rows.filter(
      (row) => Object.keys(row.refused).length === 0 && Object.keys(errorsInImported(row)).length === 0,
    )
    if (ready.length === 0) return
    add.mutate(
      { inventoryId, rows: ready.map(importedRow) },
      {
        onSuccess: ({ batchId, rows: answered }) => {
          const imported = new Set(answered.filter(({ isKept }) => isKept).map(({ key }) => key))
          setAnswers(rejectedRows(rows, answered))
          grid.act({ type: 'load', rows: rows.filter(({ key }) => !imported.has(key)) })
          if (batchId !== null) {
            offerUndo({
              text: `${count(imported.size, 'total', 'totals')} imported`,
              undo: async () => {
                await removeTotals({ inventoryId, batchId })
              },
            })
          }
        },
      },
    )
  }

  const tools = (
    <SheetTools
      inventoryId={inventoryId}
      isEmpty={rows.length === 0}
      onRemove={() => grid.act({ type: 'remove' })}
      onBlock={(text) => grid.act({ type: 'paste', text })}
    />
  )
  return (
    <div className="fc-activity-sheet">
      <div className="fc-activity-split fc-imported-split">
        {isPhone ? (
          <PhoneRows
            grid={grid}
            problems={problems}
            label="Totals to import"
            tools={tools}
            isFrozen={false}
            showPane={() => null}
            lineOf={phoneLine}
          />
        ) : (
          <Grid label="Totals to import" grid={grid} problems={problems} tools={tools} />
        )}
      </div>
      {rows.length > 0 && (
        <SaveBar
          title={count(rows.length, 'total to import', 'totals to import')}
          line="Rows with errors aren't imported and stay here"
          for={importedTotals.add}
          isSaving={add.isPending}
          onSave={save}
          onDiscard={() => {
            release()
            grid.act({ type: 'load', rows: [] })
          }}
        />
      )}
    </div>
  )
}

/** The errors of each row, with those of its last import unless it was edited since. */
function problemsOf(rows: readonly GridRow[], answers: SheetProblems) {
  return new Map(
    rows.map((row) => {
      const answer = answers.get(row.key)
      return [row.key, { ...errorsInImported(row), ...(answer?.of === row && answer.problems) }] as const
    }),
  )
}

type Answered = Awaited<ReturnType<typeof addTotals>>['rows']

/** The rejected rows by key, with the problems of their fields. */
function rejectedRows(rows: readonly GridRow[], answered: Answered): SheetProblems {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return new Map(
    answered.flatMap(({ key, isKept, problems }) => {
      const of = byKey.get(key)
      if (isKept || of === undefined) return []
      const byField = problems.map(
        ({ field, level, message }) => [field, { tone: level, text: message }] as const,
      )
      return [[key, { of, problems: Object.fromEntries(byField) }] as const]
    }),
  )
}

type ToolsProps = {
  inventoryId: string
  isEmpty: boolean
  onRemove: () => void
  onBlock: (text: string) => void
}

function SheetTools({ inventoryId, isEmpty, onRemove, onBlock }: ToolsProps) {
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        disabled={isEmpty}
        onClick={onRemove}
      >
        Delete rows
      </Button>
      <ReadFile inventoryId={inventoryId} onBlock={onBlock} />
    </>
  )
}

const phoneLine = (text: (key: string) => string): PhoneLine => ({
  name: `${text('sourceType')}, ${text('facilityId')}`,
  figure: `${text('tonnes')} t`,
  second: `${text('periodStart')} to ${text('periodEnd')}`,
  secondFigure: '',
})
