import { Button } from '@mantine/core'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import type { GridColumn, GridRow, GridSettings } from '#web/ui/grid/grid-column.ts'
import { showCell } from '#web/ui/grid/read-entry.ts'
import { nameVehicle } from '../vehicle-labels.ts'
import type { Conflict, KnownRow } from './grid-save.ts'
import { changedKeys, rowOf } from './vehicle-rows.ts'

type Props = {
  known: KnownRow
  rows: readonly GridRow[]
  settings: GridSettings
  onResolve: (decision: { id: string; keeps: 'mine' | 'theirs' }) => void
}

/** Rows that another user changed in the meantime, with both values, for the user to resolve. */
export function GridConflicts({ known, rows, settings, onResolve }: Props) {
  const open = rows.flatMap((row) => {
    const conflict = known.conflicts.get(row.key)
    const before = known.saved.get(row.key)
    return conflict && before ? [{ row, conflict, before }] : []
  })
  if (open.length === 0) return null
  return (
    <section className="fc-conflicts" aria-label="Conflicts with other users">
      <h2>Another user changed these rows. Your changes to them weren't saved.</h2>
      <ul>
        {open.map(({ row, conflict, before }) => {
          const name = nameVehicle(conflict.present)
          return (
            <li key={row.key}>
              <p>
                <b>
                  <bdi>{name}</bdi>
                </b>{' '}
                <span className="fc-faint">
                  <bdi>{conflict.by ?? 'Another user'}</bdi>
                </span>
                <Differences {...{ row, conflict, before, settings }} own={known.own} />
              </p>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Use theirs: ${name}`}
                onClick={() => onResolve({ id: row.key, keeps: 'theirs' })}
              >
                Use theirs
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Keep mine: ${name}`}
                onClick={() => onResolve({ id: row.key, keeps: 'mine' })}
              >
                Keep mine
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type OneProps = {
  row: GridRow
  conflict: Conflict
  before: Vehicle
  settings: GridSettings
  own: KnownRow['own']
}

/** "Price: yours 18,500, now 18,000" for what both changed, and "Stock number: now A-12" for what only the other one did. */
function Differences({ row, conflict: { present }, before, settings, own }: OneProps) {
  const [mine, theirs] = [
    new Set(changedKeys(row, before, own)),
    changedKeys(rowOf(present, own), before, own),
  ]
  const now = rowOf(present, own)
  const show = (one: GridRow, column: GridColumn) => showCell(one, column, settings.format) || 'blank'
  return settings.columns
    .filter(({ key }) => mine.has(key) || theirs.includes(key))
    .map((column) => (
      <span key={column.key} className="fc-grid-conflict">
        {column.title}:{' '}
        {mine.has(column.key) && (
          <>
            yours{' '}
            <b>
              <bdi>{show(row, column)}</bdi>
            </b>
            ,{' '}
          </>
        )}
        {theirs.includes(column.key) ? 'now' : 'still'}{' '}
        <b>
          <bdi>{show(now, column)}</bdi>
        </b>
      </span>
    ))
}
