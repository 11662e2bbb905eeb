import { useMemo, useState } from 'react'
import {
  type CustomField,
  customFieldName,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import type { VehicleCells } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { type Vehicle, vehicles as contract } from '#contract/vehicles/vehicles/vehicles.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridChoice, GridRow, GridSettings } from '#web/ui/grid/grid-column.ts'
import { reduceGrid } from '#web/ui/grid/grid-state.ts'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { type GridHandle, useGrid } from '#web/ui/grid/use-grid.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import { PricesDeclined, saveConfirmingPrices } from '#web/ui/prices/confirm-prices.ts'
import { columnsOf } from './grid-columns.ts'
import {
  applyOutcomes,
  checkRows,
  discardChanges,
  GONE,
  knownOf,
  type KnownRow,
  resolveConflict,
} from './grid-save.ts'
import { GridConflicts } from './GridConflicts.tsx'
import { CustomFieldsMenu } from './CustomFieldsMenu.tsx'
import { PriceLink } from '../PriceLink.tsx'
import { formatPrice } from '../vehicle-labels.ts'
import { useKeptCells } from './use-kept-cells.ts'
import { rowOf } from './vehicle-rows.ts'
import { editedFields } from './edited-fields.ts'

const sendCells = send(contract.updateCells)
const saveCells = (input: { rows: VehicleCells[] }) =>
  saveConfirmingPrices((confirmPrices) => sendCells({ ...input, confirmPrices }))

function showPrice(vehicle: Pick<Vehicle, 'id'>, price: string) {
  return <PriceLink {...{ vehicle, price }} isInGrid />
}

type Props = {
  vehicles: readonly Vehicle[]
  lots: readonly GridChoice[]
  /** The custom fields when the grid was opened. */
  fields: readonly CustomField[]
  /** The names of the fields shown as columns. */
  shown: readonly string[]
  onShow: (names: readonly string[]) => void
}

type SettingsOf = Pick<Props, 'lots' | 'shown'> & {
  known: ReturnType<typeof knownOf>
  /** The number of vehicles: rows can't be added. */
  most: number
}

function useGridSettings({ known, lots, shown, most }: SettingsOf): GridSettings {
  return useMemo<GridSettings>(
    () => ({
      columns: columnsOf({
        vehicles: [...known.saved.values()],
        showPrice,
        lots,
        own: known.own.filter((field) => shown.includes(customFieldName(field))),
      }),
      blank: null,
      most,
      format: localeFormat(),
      lockOf: ({ key }) => (known.gone.has(key) ? GONE : null),
    }),
    [most, known.saved, lots, known.own, shown, known.gone],
  )
}

/** Saves the changed rows. What is typed meanwhile stays. */
function useSaving(
  { state, settings, act }: GridHandle,
  known: ReturnType<typeof knownOf>,
  setKnown: (known: ReturnType<typeof knownOf>) => void,
) {
  const saving = useMutation({ mutationFn: saveCells })
  function settle(sent: readonly GridRow[], outcomes: Parameters<typeof applyOutcomes>[2]) {
    const next = applyOutcomes(sent, known, outcomes)
    setKnown(next.known)
    const now = new Map(next.rows.map((row) => [row.key, row]))
    const swaps = sent.flatMap((row) => {
      const saved = now.get(row.key)
      return saved === undefined || saved === row ? [] : [[row.key, { sent: row, now: saved }] as const]
    })
    act({ type: 'swap', rows: new Map(swaps), byCell: true })
  }
  function save() {
    // Includes the cell that is being edited.
    const { rows } = reduceGrid(state, { type: 'commit', to: 'stay' }, settings)
    act({ type: 'commit', to: 'stay' })
    const { inputs: sent } = checkRows(rows, known)
    if (sent.length === 0) return
    saving.mutate(
      { rows: sent },
      {
        onSuccess: (outcomes) => {
          settle(rows, outcomes)
          toastSaved(outcomes, known)
        },
        onError: (failure) => {
          if (failure instanceof PricesDeclined) return
          if (failure.status === 404) {
            const gone = sent.map(({ id }) => ({ outcome: 'gone' as const, id: String(id) }))
            settle(rows, gone)
          } else showError(failure, "Changes weren't saved")
        },
      },
    )
  }
  return { isPending: saving.isPending, save }
}

/** An editable grid of vehicles. All changed rows are saved together but independently; errors are shown in their cells. */
export function VehicleGrid({ vehicles, lots, fields, shown, onShow }: Props) {
  const [known, setKnown] = useState(() => knownOf(vehicles, fields))
  const { own } = known
  const settings = useGridSettings({ known, lots, shown, most: vehicles.length })
  const grid = useGrid(() => vehicles.map((vehicle) => rowOf(vehicle, own)), settings)
  const { state, act } = grid
  const { changed, problems, inputs } = useMemo(() => checkRows(state.rows, known), [state.rows, known])
  /** With the text of the cell that is being edited. */
  const typed = useMemo(
    () => (state.editing === null ? state : reduceGrid(state, { type: 'commit', to: 'stay' }, settings)).rows,
    [state, settings],
  )
  const { isPending, save } = useSaving(grid, known, setKnown)
  const { kept, labels } = useKeptCells(typed, known, (rows) => act({ type: 'load', rows }))

  function showFields(names: readonly string[]) {
    // Custom columns come last; moves the active cell to a column that stays.
    const last = settings.columns.filter(({ key }) => !isCustomFieldName(key)).length - 1
    const { row, column } = state.active
    act({ type: 'go', to: { row, column: Math.min(column, last) }, isExtending: false })
    onShow(names)
  }
  function update(next: ReturnType<typeof applyOutcomes>) {
    setKnown(next.known)
    act({ type: 'load', rows: next.rows })
  }
  const held = changed.size - inputs.length
  const pending = typed === state.rows ? changed.size : checkRows(typed, known).changed.size
  return (
    <>
      <KeptNotice kept={kept} labels={labels} margin="8px 24px" />
      <Grid
        label="Vehicle grid"
        {...{ grid, problems, changed }}
        tools={
          own.length > 0 && (
            <CustomFieldsMenu
              fields={own}
              shown={shown}
              editedFields={() => editedFields(state, known)}
              onShow={showFields}
            />
          )
        }
      />
      <GridConflicts
        {...{ known, settings }}
        rows={state.rows}
        onResolve={(decision) => update(resolveConflict(state.rows, known, decision))}
      />
      {pending > 0 && (
        <SaveBar
          title={`${count(pending, 'vehicle', 'vehicles')} changed`}
          line={
            held > 0
              ? `${count(held, 'row', 'rows')} with errors or conflicts won't be saved.`
              : "Changed fields are locked. Feeds don't change them."
          }
          for={contract.updateCells}
          isSaving={isPending}
          onSave={save}
          onDiscard={() => update(discardChanges(state.rows, known))}
        />
      )}
    </>
  )
}

function toastSaved(outcomes: Awaited<ReturnType<typeof saveCells>>, { saved: before }: KnownRow): void {
  const saved = outcomes.flatMap((one) => (one.outcome === 'saved' ? [one.vehicle] : []))
  const left = outcomes.length - saved.length
  if (saved.length === 0) return
  toast(
    `${count(saved.length, 'vehicle', 'vehicles')} saved`,
    [
      totalsText(saved, before),
      left > 0 ? `${count(left, 'row', 'rows')} not saved. See the reasons below.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  )
}

/** "Total for buyers: $13,513 before, $13,438 now." Empty if it is the same. */
function totalsText(saved: readonly Vehicle[], before: KnownRow['saved']): string {
  const moved = saved.flatMap(({ id, totalPriceCents: now, currency }) => {
    const was = before.get(id)?.totalPriceCents ?? null
    return was === null || now === null || was === now ? [] : [{ was, now, currency }]
  })
  const [first] = moved
  if (first === undefined) return ''
  const money = (of: 'was' | 'now') =>
    formatPrice(
      moved.reduce((sum, one) => sum + one[of], 0),
      first.currency,
    )
  const what = moved.length === 1 ? 'Total' : `Totals of ${moved.length} vehicles`
  return `${what} for buyers: ${money('was')} before, ${money('now')} now.`
}
