import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import { readUnit, type UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { ParseResult } from '#contract/parsing/parse-number.ts'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import type { GridColumn, GridRow } from '#web/ui/grid/grid-column.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { formatKg, QUALITIES, ESTIMATES, RECORD_STATUS_NAMES } from './activity-labels.ts'

const NUMBER = { kind: 'number', width: 112 } as const

const AMOUNTS: Readonly<Record<EmissionSource['method'], readonly GridColumn[]>> = {
  calculated: [{ key: 'quantity', title: 'Quantity', ...NUMBER }],
  own_factor: [{ key: 'quantity', title: 'Quantity', ...NUMBER }],
  estimate: [{ key: 'quantity', title: 'Quantity', ...NUMBER }],
  meter: [
    { key: 'meterFrom', title: 'Start reading', ...NUMBER },
    { key: 'meterTo', title: 'End reading', ...NUMBER },
  ],
  direct: [{ key: 'direct', title: 'Measured, kg CO2e', ...NUMBER, width: 136 }],
}

/** Plausible price years, newest first. */
const priceYear = (thisYear: number): GridColumn => ({
  key: 'priceYear',
  title: 'Price year',
  kind: 'choice',
  width: 96,
  choices: Array.from({ length: thisYear - 1989 }, (_, back) => {
    const year = String(thisYear - back)
    return { value: year, label: year }
  }),
})

/**
 * A unit as the server reads it: by its exact name or a known alias. A name that includes the calorific basis, such as
 * "kWh (Gross CV)", stays as entered, because the unit alone would lose it.
 */
const unitReader =
  (table: UnitTable) =>
  (text: string): ParseResult => {
    const read = readUnit(table, text)
    if ('problem' in read) return { refusal: read.problem }
    return { value: read.basis === null ? read.unit.code : text }
  }

/**
 * The grid columns of a source. Column keys are the field names of a record, so that a server message about a field
 * appears at its cell. `units`: the unit symbols offered, default first. `isMoney`: the source is spend-based, and an
 * amount spent means nothing without its price year. `unitTable`: all units and their aliases.
 */
export function columnsOf(
  method: EmissionSource['method'],
  {
    units,
    unitTable,
    isMoney,
    today,
  }: { units: readonly string[]; unitTable: UnitTable; isMoney: boolean; today: string },
  resultOf: (row: GridRow) => ActivityRecord['result'],
  recordOf: (row: GridRow) => ActivityRecord | undefined,
): GridColumn[] {
  return [
    { key: 'periodStart', title: 'From', kind: 'date', width: 104 },
    { key: 'periodEnd', title: 'To', kind: 'date', width: 104 },
    ...AMOUNTS[method],
    ...(method === 'direct'
      ? []
      : [
          {
            key: 'unit',
            title: 'Unit',
            kind: 'unit' as const,
            width: 88,
            choices: units.map((unit) => ({ value: unit, label: unit })),
            read: unitReader(unitTable),
          },
          ...(isMoney ? [priceYear(Number(today.slice(0, 4)))] : []),
          {
            key: 'calorificBasis',
            title: 'Calorific',
            kind: 'choice' as const,
            width: 88,
            choices: [
              { value: 'gross', label: 'Gross', aliases: ['HHV', 'GCV', 'Gross CV'] },
              { value: 'net', label: 'Net', aliases: ['LHV', 'NCV', 'Net CV'] },
            ],
          },
        ]),
    {
      key: 'result',
      title: 'Result, kg CO2e',
      ...NUMBER,
      width: 120,
      isFixed: true,
      isPinned: true,
      text: (row) => formatKg(resultOf(row)?.kg ?? null),
    },
    {
      // Same key as the field, so that its messages appear here. The factor is chosen in the pane next to the grid.
      key: 'factorId',
      title: 'Factor',
      kind: 'text',
      width: 200,
      isFixed: true,
      text: (row) => {
        const chosen = row.cells['factorId'] ?? ''
        if (chosen === (recordOf(row)?.factorId ?? '')) return resultOf(row)?.factorName ?? ''
        return chosen === '' ? 'Automatic, not saved' : 'Manual, not saved'
      },
    },
    { key: 'quality', title: 'Quality', kind: 'choice', width: 120, choices: QUALITIES },
    { key: 'estimateMethod', title: 'Estimate', kind: 'choice', width: 150, choices: ESTIMATES },
    { key: 'reference', title: 'Bill', kind: 'text', width: 112 },
    { key: 'comment', title: 'Comment', kind: 'text', width: 200 },
    {
      key: 'evidence',
      title: 'Evidence',
      kind: 'text',
      width: 88,
      isFixed: true,
      text: (row) => evidenceLabel(recordOf(row)),
    },
    {
      key: 'status',
      title: 'Status',
      kind: 'text',
      width: 96,
      isFixed: true,
      text: (row) => {
        const record = recordOf(row)
        return record ? RECORD_STATUS_NAMES[record.status] : 'Not saved'
      },
    },
  ]
}

/** Empty for an unsaved row: files can be attached to saved records only. */
function evidenceLabel(record: ActivityRecord | undefined): string {
  if (record === undefined) return ''
  return record.evidence === 0 ? 'None' : count(record.evidence, 'file', 'files')
}
