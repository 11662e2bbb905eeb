import { useEffect, useMemo, useState } from 'react'
import { vehicles as contract } from '#contract/vehicles/vehicles/vehicles.ts'
import { isRecord } from '#web/api/read-json.ts'
import type { GridRow } from '#web/ui/grid/grid-column.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { type KeptText, useKeptGuard } from '#web/ui/record/kept-typing.ts'
import type { KnownRow } from './grid-save.ts'
import { nameVehicle } from '../vehicle-labels.ts'
import { changedKeys, rowOf } from './vehicle-rows.ts'

/** The changed cells of vehicles by ID, as they were typed. `refused`: why one can't be read. */
type TypedCells = Readonly<Record<string, Readonly<Record<string, { text: string; refused?: string }>>>>

/**
 * Keeps changed cells on this device until they are saved, as forms do. Those of vehicles that the grid doesn't show, because of
 * another filter or page, stay for the next time.
 */
export function useKeptCells(
  rows: readonly GridRow[],
  known: KnownRow,
  load: (rows: readonly GridRow[]) => void,
): { kept: KeptText; labels: Readonly<Record<string, string>> } {
  const [elsewhere, setElsewhere] = useState<TypedCells>({})
  const typed = useMemo(() => typedIn(rows, known), [rows, known])
  const cells = useMemo(() => ({ ...elsewhere, ...typed }), [elsewhere, typed])
  const loaded = useMemo(() => ({ cells: savedOf(cells, known) }), [cells, known])
  const { kept } = useKeptGuard({
    endpoint: contract.updateCells,
    record: null,
    values: { cells },
    loaded,
    changed: Object.keys(cells).length > 0 ? ['cells'] : [],
    putBack: (values) => {
      const given = readCells(values['cells'])
      const shown = new Set(rows.map(({ key }) => key))
      const others = Object.entries(given).filter(([id]) => !shown.has(id))
      setElsewhere(Object.fromEntries(others))
      if (others.length > 0)
        toast(
          `${count(others.length, 'vehicle is', 'vehicles are')} not in this grid`,
          'Their cells stay kept.',
        )
      load(rows.map((row) => withCells(row, given[row.key])))
    },
  })
  const { offer, decide } = kept
  const open = unsavedOf(readCells(offer?.values['cells']), known)
  const vehicles = Object.keys(open).length
  const isSaved = offer !== null && vehicles === 0
  // The page was closed before the answer came.
  useEffect(() => {
    if (isSaved) decide('discard')
    // Once, whichever function decides.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isSaved])
  const changed = describeChanged(readCells(offer?.loaded?.['cells']), open, known)
  return {
    kept: {
      ...kept,
      offer: offer === null || isSaved ? null : { ...offer, values: { cells: open } },
      replaced: changed === '' ? {} : { cells: changed },
    },
    labels: { cells: `cells of ${count(vehicles, 'vehicle', 'vehicles')}` },
  }
}

/** The cells that are saved differently now. Of vehicles that aren't shown, it isn't known. */
function unsavedOf(typed: TypedCells, { saved, own }: KnownRow): TypedCells {
  return Object.fromEntries(
    Object.entries(typed).flatMap(([id, cells]) => {
      const vehicle = saved.get(id)
      if (vehicle === undefined) return [[id, cells] as const]
      const differs = new Set<string>(changedKeys(withCells(rowOf(vehicle, own), cells), vehicle, own))
      const left = Object.entries(cells).filter(([key]) => differs.has(key))
      return left.length === 0 ? [] : [[id, Object.fromEntries(left)] as const]
    }),
  )
}

/**
 * "2026 Ford Escape: 44755": what is saved now in cells that had another value when something was typed into them. `open`: those
 * that would be put back.
 */
function describeChanged(loaded: TypedCells, open: TypedCells, known: KnownRow): string {
  const now = savedOf(open, known)
  return Object.entries(now)
    .flatMap(([id, cells]) => {
      const texts = Object.entries(cells).flatMap(([key, { text }]) =>
        loaded[id]?.[key] === undefined || text === loaded[id][key].text
          ? []
          : [text === '' ? 'blank' : text],
      )
      const vehicle = known.saved.get(id)
      return texts.length === 0 || vehicle === undefined
        ? []
        : [`${nameVehicle(vehicle)}: ${texts.join(', ')}`]
    })
    .join('; ')
}

function typedIn(rows: readonly GridRow[], { saved, own }: KnownRow): TypedCells {
  const changed = rows.flatMap((row) => {
    const vehicle = saved.get(row.key)
    const keys = vehicle === undefined ? [] : changedKeys(row, vehicle, own)
    return keys.length === 0
      ? []
      : [[row.key, Object.fromEntries(keys.map((key) => [key, cellOf(row, key)]))] as const]
  })
  return Object.fromEntries(changed)
}

function cellOf({ cells, refused }: GridRow, key: string) {
  const why = refused[key]
  return { text: cells[key] ?? '', ...(why !== undefined && { refused: why }) }
}

/** The same cells as they are saved. */
function savedOf(cells: TypedCells, { saved, own }: KnownRow): TypedCells {
  return Object.fromEntries(
    Object.entries(cells).flatMap(([id, typed]) => {
      const vehicle = saved.get(id)
      if (vehicle === undefined) return []
      const row = rowOf(vehicle, own)
      return [[id, Object.fromEntries(Object.keys(typed).map((key) => [key, cellOf(row, key)]))] as const]
    }),
  )
}

function withCells(row: GridRow, typed: TypedCells[string] | undefined): GridRow {
  if (typed === undefined) return row
  const given = Object.entries(typed).filter(([key]) => key in row.cells)
  const texts = given.map(([key, { text }]): [string, string] => [key, text])
  const refused = given.flatMap(([key, { refused: why }]) => (why === undefined ? [] : [[key, why] as const]))
  return {
    ...row,
    cells: { ...row.cells, ...Object.fromEntries(texts) },
    refused: { ...row.refused, ...Object.fromEntries(refused) },
  }
}

/** What an earlier page kept, without what isn't such a cell. */
function readCells(value: unknown): TypedCells {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([id, row]) => [
      id,
      Object.fromEntries(
        Object.entries(isRecord(row) ? row : {}).flatMap(([key, cell]) => {
          if (!isRecord(cell) || typeof cell['text'] !== 'string') return []
          const why = cell['refused']
          return [[key, { text: cell['text'], ...(typeof why === 'string' && { refused: why }) }] as const]
        }),
      ),
    ]),
  )
}
