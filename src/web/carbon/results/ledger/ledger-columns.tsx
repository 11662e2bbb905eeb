import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import type { LEDGER_LIST } from '#contract/carbon/results/ledger-list.ts'
import type { ListedResult } from '#contract/carbon/activity/ledger-schema.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { formatMonth } from '#web/carbon/activity/records/activity-labels.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of columns whose kind isn't enough. */
export const CELLS: Cells<ListedResult, keyof typeof LEDGER_LIST.fields> = {
  source: (row) => <ResultLink row={row} />,
  facility: ({ facilityName }) => <bdi>{facilityName}</bdi>,
  month: ({ month }) => formatMonth(month),
  kg: ({ kg, problem }) => <Kg kg={kg} problem={problem} />,
  quantity: ({ quantity }) => quantity !== null && <bdi>{showFigure(quantity, 6)}</bdi>,
  factor: ({ factorName, part }) => (part === 'imported' ? 'Imported total' : <bdi>{factorName}</bdi>),
  method: ({ method }) =>
    method === null ? 'Both totals' : `${method === 'market' ? 'Market' : 'Location'}-based`,
  inventory: ({ inventoryName }) => <bdi>{inventoryName}</bdi>,
  biogenicKg: ({ biogenicKg }) => <bdi>{showFigure(biogenicKg, 6)}</bdi>,
}

export const WIDTHS = {
  source: 224,
  facility: 184,
  month: 96,
  scope: 208,
  kg: 128,
  quantity: 128,
  unit: 96,
  factor: 248,
  formula: 480,
}

/** A result on a narrow screen. */
export function LedgerBlock({ row }: { row: ListedResult }) {
  const { facilityName, month, scope, quantity, unit, factorName, part } = row
  return (
    <>
      <div className="fc-block-head">
        <ResultLink row={row} />
        <Kg kg={row.kg} problem={row.problem} hasUnit />
      </div>
      <div className="fc-small fc-faint">
        <bdi>{[facilityName, formatMonth(month), `scope ${scope}`].join(', ')}</bdi>
      </div>
      <div className="fc-small">
        <bdi>
          {[
            quantity === null ? null : `${showFigure(quantity, 6)} ${unit ?? ''}`,
            part === 'imported' ? 'Imported total' : factorName,
          ]
            .filter((one) => one !== null)
            .join(', ')}
        </bdi>
      </div>
    </>
  )
}

/** With two decimal places, so that a column of them aligns; below 1 with three digits. Exports have all of them. */
function showKg(kg: string): string {
  const figure = new Figure(kg)
  if (figure.abs().lt(1)) return showFigure(kg, 3)
  const [whole = '', decimals = ''] = figure.toFixed(2).split('.')
  return `${showFigure(whole, 40)}.${decimals}`
}

function Kg({ kg, problem, hasUnit = false }: Pick<ListedResult, 'kg' | 'problem'> & { hasUnit?: boolean }) {
  if (kg === null) return <bdi title={problem ?? undefined}>No result</bdi>
  return (
    <bdi className="fc-number">
      {showKg(kg)}
      {hasUnit && ' kg CO2e'}
    </bdi>
  )
}

/** Opens the calculation. */
function ResultLink({ row }: { row: ListedResult }) {
  return (
    <Link
      from="/carbon/ledger"
      to="/carbon/ledger"
      search={(before) => ({ ...before, result: row.id })}
      className="fc-name"
    >
      <bdi>{sourceTitle(row)}</bdi>
    </Link>
  )
}
