import type { InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import { IMPORTED_TITLES, ImportedRow } from '#contract/carbon/activity/imported-totals.ts'
import type { CustomSource } from '#contract/carbon/inventories/custom-sources.ts'
import { SOURCE_TYPES } from '#contract/carbon/inventories/source-types.ts'
import type { CellProblem, GridColumn, GridRow } from '#web/ui/grid/grid-column.ts'

const NUMBER = { kind: 'number', width: 112 } as const

/** The columns of imported totals. Keys are the fields of a row; pasted column headings are matched by title. */
export function importedColumns(
  facilities: readonly InventoryFacility[],
  customs: readonly CustomSource[],
): GridColumn[] {
  return [
    {
      key: 'facilityId',
      title: IMPORTED_TITLES.facilityId,
      kind: 'choice',
      width: 200,
      choices: facilities.map(({ id, name, code }) => ({ value: id, label: name, aliases: [code] })),
    },
    {
      key: 'sourceType',
      title: IMPORTED_TITLES.sourceType,
      kind: 'choice',
      width: 200,
      choices: [
        ...SOURCE_TYPES.map(({ id, title }) => ({ value: id, label: title, aliases: [id] })),
        ...customs.map(({ sourceType, name }) => ({ value: sourceType, label: name, aliases: [] })),
      ],
    },
    { key: 'periodStart', title: IMPORTED_TITLES.periodStart, kind: 'date', width: 104 },
    { key: 'periodEnd', title: IMPORTED_TITLES.periodEnd, kind: 'date', width: 104 },
    { key: 'tonnes', title: IMPORTED_TITLES.tonnes, ...NUMBER },
    { key: 'marketTonnes', title: IMPORTED_TITLES.marketTonnes, ...NUMBER, width: 120 },
    { key: 'biogenicTonnes', title: IMPORTED_TITLES.biogenicTonnes, ...NUMBER, width: 120 },
    { key: 'note', title: IMPORTED_TITLES.note, kind: 'text', width: 240 },
  ]
}

/** A row as it is sent. */
export function importedRow({ key, cells }: GridRow): ImportedRow {
  const text = (name: string) => cells[name] || null
  return {
    key,
    facilityId: text('facilityId') ?? '',
    sourceType: text('sourceType') ?? '',
    periodStart: text('periodStart') ?? '',
    periodEnd: text('periodEnd') ?? '',
    tonnes: text('tonnes') ?? '',
    marketTonnes: text('marketTonnes'),
    biogenicTonnes: text('biogenicTonnes'),
    note: text('note') ?? '',
  }
}

const MISSING: Readonly<Record<string, string>> = {
  facilityId: 'Choose the facility.',
  sourceType: 'Choose the source.',
  tonnes: 'Enter the tonnes.',
  periodStart: 'Enter the start date.',
  periodEnd: 'Enter the end date.',
}

/** The errors that keep a row from being sent, by column; empty if there are none. */
export function errorsInImported(row: GridRow): Record<string, CellProblem> {
  const errors: Record<string, CellProblem> = {}
  for (const { path, message } of ImportedRow.safeParse(importedRow(row)).error?.issues ?? []) {
    const [field] = path
    if (typeof field === 'string') errors[field] = { tone: 'error', text: message }
  }
  for (const [field, text] of Object.entries(MISSING)) {
    if ((row.cells[field] ?? '') === '' && row.refused[field] === undefined)
      errors[field] = { tone: 'error', text }
  }
  return errors
}
