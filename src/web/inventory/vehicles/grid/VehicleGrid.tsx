import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  type CustomField,
  customFieldName,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { type Vehicle, vehicles as contract } from '#contract/inventory/vehicles/vehicles.ts'
import { send } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridChoice, GridSettings } from '#web/ui/grid/grid-column.ts'
import { reduceGrid } from '#web/ui/grid/grid-state.ts'
import { formatOf } from '#contract/entries/person-format.ts'
import { useGrid } from '#web/ui/grid/use-grid.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { invalidateVehicles } from '../set-vehicle-in-cache.ts'
import { columnsOf } from './grid-columns.ts'
import { giveUp, GONE, knownOf, lookThrough, settle, ingest } from './grid-save.ts'
import { GridConflicts } from './GridConflicts.tsx'
import { OwnFieldsMenu } from './OwnFieldsMenu.tsx'
import { rowOf } from './vehicle-rows.ts'
import { writtenFields } from './written-fields.ts'

const saveCells = send(contract.updateCells)

type Props = {
  vehicles: readonly Vehicle[]
  lots: readonly GridChoice[]
  /** The customer's own fields, as the grid was opened with them. */
  fields: readonly CustomField[]
  /** The names of those that are columns. */
  shown: readonly string[]
  onShow: (names: readonly string[]) => void
}

/** Vehicles as a table to write in. What was changed is saved at once, each row by itself; what keeps a row back is told at its cells. */
export function VehicleGrid({ vehicles, lots, fields, shown, onShow }: Props) {
  const [known, setKnown] = useState(() => knownOf(vehicles, fields))
  const { own } = known
  const saving = useMutation({ mutationFn: saveCells })
  const { isPending } = saving
  const settings = useMemo<GridSettings>(
    () => ({
      columns: columnsOf({
        vehicles,
        lots,
        own: own.filter((field) => shown.includes(customFieldName(field))),
      }),
      blank: null,
      most: vehicles.length,
      format: formatOf(),
      lockOf: ({ key }) => {
        if (isPending) return 'This is being saved.'
        return known.gone.has(key) ? GONE : null
      },
    }),
    [vehicles, lots, own, shown, isPending, known.gone],
  )
  const grid = useGrid(() => vehicles.map((vehicle) => rowOf(vehicle, own)), settings)
  const { state, act } = grid
  const { changed, problems, inputs } = useMemo(() => lookThrough(state.rows, known), [state.rows, known])
  useUnsavedGuard(changed.size > 0)

  function showFields(names: readonly string[]) {
    // Columns come and go behind the others: the active cell is one that stays.
    const last = settings.columns.filter(({ key }) => !isCustomFieldName(key)).length - 1
    const { row, column } = state.active
    act({ type: 'go', to: { row, column: Math.min(column, last) }, isExtending: false })
    onShow(names)
  }
  function take(next: ReturnType<typeof ingest>) {
    setKnown(next.known)
    act({ type: 'load', rows: next.rows })
  }
  function save() {
    // What is still being written counts.
    const { rows } = reduceGrid(state, { type: 'commit', to: 'stay' }, settings)
    act({ type: 'commit', to: 'stay' })
    const { inputs: sent } = lookThrough(rows, known)
    if (sent.length === 0) return
    saving.mutate(
      { rows: sent },
      {
        onSuccess: (outcomes) => {
          take(ingest(rows, known, outcomes))
          const saved = outcomes.filter(({ outcome }) => outcome === 'saved')
          const left = outcomes.length - saved.length
          if (saved.length > 0) {
            toast(
              `${count(saved.length, 'vehicle', 'vehicles')} saved`,
              left > 0 ? `${count(left, 'row', 'rows')} not: see why below` : '',
            )
          }
          void Promise.all(saved.map(({ id }) => invalidateVehicles(id)))
        },
        onError: (failure) => {
          if (failure.status === 404) {
            take(
              ingest(
                rows,
                known,
                sent.map(({ id }) => ({ outcome: 'gone' as const, id: String(id) })),
              ),
            )
          } else showError(failure, 'The changes were not saved')
        },
      },
    )
  }
  const held = changed.size - inputs.length
  return (
    <>
      <Grid
        label="Vehicles to edit"
        {...{ grid, problems, changed }}
        tools={
          own.length > 0 && (
            <OwnFieldsMenu
              fields={own}
              shown={shown}
              writtenFields={() => writtenFields(state, known)}
              onShow={showFields}
            />
          )
        }
      />
      <GridConflicts
        {...{ known, settings }}
        rows={state.rows}
        onSettle={(decision) => take(settle(state.rows, known, decision))}
      />
      {changed.size > 0 && (
        <SaveBar
          title={`${count(changed.size, 'vehicle', 'vehicles')} changed`}
          line={
            held > 0
              ? `${count(held, 'row', 'rows')} with errors or to be decided will not be saved.`
              : 'What you change is kept from feeds.'
          }
          for={contract.updateCells}
          isSaving={isPending}
          onSave={save}
          onDiscard={() => take(giveUp(state.rows, known))}
        />
      )}
    </>
  )
}
