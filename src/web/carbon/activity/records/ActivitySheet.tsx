import { useMediaQuery } from '@mantine/hooks'
import { IconSend, IconTrash } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@mantine/core'
import { activities } from '#contract/carbon/activity/activity.ts'
import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridRow } from '#web/ui/grid/grid-column.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { type PhoneLine, PhoneRows } from './PhoneRows.tsx'
import { RowPane } from './RowPane.tsx'
import { useActivityGrid } from './use-activity-grid.ts'

const submitRecords = send(activities.submit)

type Props = {
  source: EmissionSource
  records: readonly ActivityRecord[]
  units: readonly string[]
  /** All units and their aliases. */
  unitTable: UnitTable
  /** The units are currencies. */
  isMoney: boolean
  isFrozen: boolean
  label: string
  draftKey: string
}

const phoneLine = (text: (key: string) => string): PhoneLine => ({
  name: `${text('periodStart')} to ${text('periodEnd')}`,
  figure: `${text('quantity')} ${text('unit')}`,
  second: text('status'),
  secondFigure: `${text('result')} kg CO2e`,
})

/** Submits the records that are ready. `onSubmitted` gets those that were not rejected, as they are now. */
function useSubmit(
  ready: readonly ActivityRecord[],
  onSubmitted: (records: readonly ActivityRecord[]) => void,
) {
  return useMutation({
    mutationFn: submitRecords,
    onError: (failure) => showError(failure),
    onSuccess: ({ refused }) => {
      const refusedIds = new Set(refused.map(({ id }) => id))
      onSubmitted(
        ready
          .filter(({ id }) => !refusedIds.has(id))
          .map((record) => ({ ...record, status: 'submitted' as const, version: record.version + 1 })),
      )
    },
  })
}

/** The activity grid of one source with its unsaved changes, and the calculated emissions of the active row. */
export function ActivitySheet({ label, ...options }: Props) {
  const { source, isFrozen } = options
  const sheet = useActivityGrid(options)
  const { grid, saved, changed, changedKeys, removed, problems, isDirty, isRestored } = sheet
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const { release } = useUnsavedGuard(isDirty)
  const ready = [...saved.values()].filter(({ status }) => status === 'draft' || status === 'returned')
  const submit = useSubmit(ready, sheet.replace)
  const save = useRef(sheet.save)
  useLayoutEffect(() => {
    save.current = sheet.save
  })
  const active = grid.state.rows[grid.state.active.row] ?? null
  const paneOf = (row: GridRow | null) => (
    <RowPane
      key={row?.key ?? ''}
      row={row}
      source={source}
      record={row ? saved.get(row.key) : undefined}
      isChanged={row !== null && changedKeys.has(row.key)}
      lock={row ? (grid.settings.lockOf?.(row) ?? null) : null}
      isFrozen={isFrozen}
      onEvidence={countEvidence}
      onFactor={(factorId) => {
        if (row) grid.act({ type: 'set', key: row.key, cells: { factorId: factorId ?? '' } })
      }}
    />
  )
  function countEvidence(id: string, evidence: number) {
    const record = saved.get(id)
    if (record) sheet.replace([{ ...record, evidence }])
  }
  const tools = (
    <SheetTools
      canRemove={!isFrozen && grid.state.rows.length > 0}
      onRemove={() => grid.act({ type: 'remove' })}
      ready={ready.length}
      lock={isDirty ? 'Save your changes first.' : null}
      isSubmitting={submit.isPending}
      onSubmit={() =>
        submit.mutate({
          inventoryId: source.inventoryId,
          records: ready.map(({ id, version }) => ({ id, version })),
        })
      }
    />
  )
  return (
    <div className="fc-activity-sheet">
      <SheetNotes
        isRestored={isRestored && isDirty}
        refused={submit.data?.refused ?? []}
        added={sheet.addedElsewhere.length}
        onShow={() => sheet.add(sheet.addedElsewhere)}
      />
      <div className="fc-activity-split">
        {isPhone ? (
          <PhoneRows
            grid={grid}
            problems={problems}
            label={label}
            tools={tools}
            isFrozen={isFrozen}
            showPane={(row) => paneOf(row)}
            lineOf={phoneLine}
          />
        ) : (
          <Grid label={label} grid={grid} problems={problems} changed={changedKeys} tools={tools} />
        )}
        {!isPhone && paneOf(active)}
      </div>
      {isDirty && (
        <SaveBar
          title={count(changed.length + removed.length, 'row changed', 'rows changed')}
          line="Rows with errors aren't saved and stay here"
          for={activities.save}
          isSaving={sheet.isSaving}
          onSave={() => {
            // Commit the open cell first, so that the save includes it.
            flushSync(() => grid.act({ type: 'commit', to: 'stay' }))
            void save.current()
          }}
          onDiscard={() => {
            release()
            sheet.discard(null)
          }}
        />
      )}
    </div>
  )
}

type NotesProps = {
  isRestored: boolean
  refused: readonly { message: string }[]
  /** How many records someone else added that the grid doesn't show yet. */
  added: number
  onShow: () => void
}

/** That unsaved changes were restored, what someone else added, and why records could not be submitted. */
function SheetNotes({ isRestored, refused, added, onShow }: NotesProps) {
  const [isHidden, setIsHidden] = useState(false)
  return (
    <>
      {isRestored && !isHidden && (
        <output className="fc-activity-note">
          Your unsaved changes were restored.{' '}
          <button type="button" className="fc-text-button" onClick={() => setIsHidden(true)}>
            Hide
          </button>
        </output>
      )}
      {added > 0 && (
        <output className="fc-activity-note">
          {count(added, 'record was', 'records were')} added to this source in the meantime.{' '}
          <button type="button" className="fc-text-button" onClick={onShow}>
            Show
          </button>
        </output>
      )}
      {refused.length > 0 && (
        <output className="fc-activity-note">
          {count(refused.length, 'record was', 'records were')} not submitted:{' '}
          <bdi>{refused[0]?.message}</bdi>
        </output>
      )}
    </>
  )
}

type ToolsProps = {
  canRemove: boolean
  onRemove: () => void
  /** The number of records that can be submitted. */
  ready: number
  lock: string | null
  isSubmitting: boolean
  onSubmit: () => void
}

function SheetTools({ canRemove, onRemove, ready, lock, isSubmitting, onSubmit }: ToolsProps) {
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        disabled={!canRemove}
        onClick={onRemove}
      >
        Delete rows
      </Button>
      <Action
        for={activities.submit}
        variant="default"
        size="compact-sm"
        leftSection={<IconSend size={16} aria-hidden="true" />}
        lock={ready === 0 ? 'No records to submit.' : lock}
        loading={isSubmitting}
        onClick={onSubmit}
      >
        Submit {count(ready, 'record', 'records')}
      </Action>
    </>
  )
}
