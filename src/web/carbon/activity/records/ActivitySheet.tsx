import { useMediaQuery } from '@mantine/hooks'
import { IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@mantine/core'
import { activities } from '#contract/carbon/activity/activity.ts'
import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
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

/** The activity grid of one source with its unsaved changes, and the calculated emissions of the active row. */
export function ActivitySheet({ label, ...options }: Props) {
  const { source, isFrozen } = options
  const sheet = useActivityGrid(options)
  const { grid, saved, changed, changedKeys, removed, problems, isDirty, isRestored } = sheet
  const [isNoteHidden, setIsNoteHidden] = useState(false)
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const { release } = useUnsavedGuard(isDirty)
  const ready = [...saved.values()].filter(({ status }) => status === 'draft' || status === 'returned')
  const submit = useMutation({
    mutationFn: submitRecords,
    onError: (failure) => showError(failure),
    onSuccess: ({ refused }) => {
      const refusedIds = new Set(refused.map(({ id }) => id))
      sheet.replace(
        ready
          .filter(({ id }) => !refusedIds.has(id))
          .map((record) => ({ ...record, status: 'submitted' as const, version: record.version + 1 })),
      )
    },
  })
  const save = useRef(sheet.save)
  useLayoutEffect(() => {
    save.current = sheet.save
  })
  const unsavedLock = isDirty ? 'Save your changes first.' : null
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
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        disabled={isFrozen || grid.state.rows.length === 0}
        onClick={() => grid.act({ type: 'remove' })}
      >
        Delete rows
      </Button>
      <Action
        for={activities.submit}
        variant="default"
        size="compact-sm"
        leftSection={<IconSend size={16} aria-hidden="true" />}
        lock={ready.length === 0 ? 'No records to submit.' : unsavedLock}
        loading={submit.isPending}
        onClick={() =>
          submit.mutate({
            inventoryId: source.inventoryId,
            records: ready.map(({ id, version }) => ({ id, version })),
          })
        }
      >
        Submit {count(ready.length, 'record', 'records')}
      </Action>
    </>
  )
  return (
    <div className="fc-activity-sheet">
      {isRestored && isDirty && !isNoteHidden && (
        <output className="fc-activity-note">
          Your unsaved changes were restored.{' '}
          <button type="button" className="fc-text-button" onClick={() => setIsNoteHidden(true)}>
            Hide
          </button>
        </output>
      )}
      {submit.data && submit.data.refused.length > 0 && (
        <output className="fc-activity-note">
          {count(submit.data.refused.length, 'record was', 'records were')} not submitted:{' '}
          <bdi>{submit.data.refused[0]?.message}</bdi>
        </output>
      )}
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
