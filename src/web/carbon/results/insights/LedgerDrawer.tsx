import { showFigure } from '#contract/carbon/factors/figure.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { ledgerFilter, ledgerInput, type LedgerTotal } from '#contract/carbon/results/ledger-filter.ts'
import type { LedgerRow } from '#contract/carbon/activity/ledger-schema.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { useList } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { formatMonth } from '#web/carbon/activity/records/activity-labels.ts'
import { ResultDetail } from '../ledger/ResultDetail.tsx'
import type { Method } from '../../activity/insight-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  inventoryId: string
  line: LedgerTotal
  /** The total it opened from: for scope 2, only the rows of this method. */
  method: Method
  /** The explained row. */
  result: string | undefined
  onExplain: (id: string | undefined) => void
  onClose: () => void
}

/** The rows behind a total. A row opens its formula with the publisher, edition, table and row of its factor. */
export function LedgerDrawer({ inventoryId, line, method, result, onExplain, onClose }: Props) {
  return (
    <FormDrawer
      title={result === undefined ? 'Rows behind this total' : 'Calculation'}
      about={
        result === undefined ? 'Select a row to see its calculation' : 'Quantity, conversion, factor, result'
      }
      size={720}
      onClose={onClose}
    >
      {result === undefined ? (
        <Rows inventoryId={inventoryId} line={line} method={method} onExplain={onExplain} />
      ) : (
        <div className="fc-insights-ledger">
          <button type="button" className="fc-text-button" onClick={() => onExplain(undefined)}>
            Back to rows
          </button>
          <ResultDetail id={result} />
        </div>
      )}
    </FormDrawer>
  )
}

type RowsProps = Pick<Props, 'inventoryId' | 'line' | 'method' | 'onExplain'>

function Rows({ inventoryId, line, method, onExplain }: RowsProps) {
  const { list, failure, isPending, retry } = useList(ledger.rows, {
    inventoryId,
    ...ledgerInput(line),
    method,
    pageSize: 500,
  })
  if (failure)
    return <FailureState failure={failure} endpoint={ledger.rows} what="the rows" onRetry={retry} />
  if (isPending) return <Spinner label="Loading the rows" />
  const rows: readonly LedgerRow[] = list.results ?? []
  return (
    <div className="fc-insights-ledger">
      {list.filteredRows > rows.length && (
        <p className="fc-small fc-soft">
          The first {rows.length.toLocaleString()} of {list.filteredRows.toLocaleString()} rows.
        </p>
      )}
      {rows.length > 0 && (
        <Link
          to="/carbon/ledger"
          search={{ filter: ledgerFilter(inventoryId, line, method) }}
          className="fc-link"
        >
          Sort, filter or export in the ledger
        </Link>
      )}
      {rows.length === 0 && <p className="fc-soft">No rows.</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <button type="button" onClick={() => onExplain(row.id)}>
              <bdi className="fc-name">
                {sourceTitle(row)}, {row.facilityName}
              </bdi>
              <bdi className="fc-number">{row.kg === null ? 'No result' : `${showFigure(row.kg)} kg`}</bdi>
              <bdi className="fc-second">
                {formatMonth(row.month)}, scope {row.scope}
                {row.method !== null && `, ${row.method}-based`}
                {row.isEstimate && ', estimate'}
              </bdi>
              <bdi className="fc-second fc-number">
                {row.quantity === null ? '' : `${showFigure(row.quantity)} ${row.unit ?? ''}`}
              </bdi>
              <bdi className="fc-second fc-insights-wide">{row.problem ?? sourceOf(row)}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const sourceOf = ({ part, factorName, publisher, edition }: LedgerRow) =>
  [part === 'imported' ? 'Imported total' : null, factorName, publisher, edition]
    .filter((one) => one !== null)
    .join(', ')
