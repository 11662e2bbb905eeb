import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { activities } from '#contract/carbon/activity/activity.ts'
import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { Output } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import type { GridRow } from '#web/ui/grid/grid-column.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { formatMonth } from './activity-labels.ts'
import { EvidenceFiles } from './EvidenceFiles.tsx'
import { errorsInRow, inputOf } from './activity-rows.ts'
import { FactorExplanation } from './FactorExplanation.tsx'
import { GasSplit } from './GasSplit.tsx'
import { RecordOrigin } from './RecordOrigin.tsx'

type Props = {
  /** Null for the empty row after the last one. */
  row: GridRow | null
  source: EmissionSource
  record: ActivityRecord | undefined
  isChanged: boolean
  /** Why the row can't be changed; null if it can. */
  lock: string | null
  /** Sets the factor of the row; null returns to the automatic choice. */
  onFactor: (factorId: string | null) => void
  isFrozen: boolean
  /** Called with the new number of evidence files. */
  onEvidence: (recordId: string, count: number) => void
}

/** The calculated emissions of the active row, before it is saved: by month, with the factor and why it was chosen. */
export function RowPane({ row, source, record, isChanged, lock, isFrozen, onFactor, onEvidence }: Props) {
  const [shown] = useDebouncedValue(row, 300)
  const input = shown ? inputOf(shown, source, record) : null
  const isWhole =
    shown !== null &&
    input !== null &&
    Object.keys(shown.refused).length === 0 &&
    Object.keys(errorsInRow(shown, input)).length === 0
  const preview = useQuery({
    ...query(activities.preview, { ...(record && { id: record.id }), record: input ?? EMPTY }),
    enabled: isWhole,
  })
  return (
    <section className="fc-activity-pane" aria-label="Row emissions">
      <h2>{isChanged ? 'Preview, not saved' : 'Calculated emissions'}</h2>
      {!isWhole && <p className="fc-small fc-soft">{emptyMessage(shown)}</p>}
      {isWhole && preview.isPending && <p className="fc-small fc-soft">Calculating…</p>}
      {preview.error && <p className="fc-small">{preview.error.message}</p>}
      {isWhole && preview.data && <Outcome preview={preview.data} lock={lock} onFactor={onFactor} />}
      {record?.cost && (
        <p className="fc-small fc-soft">
          <bdi>Cost of the bill: {showFigure(record.cost, 16)}</bdi>
        </p>
      )}
      {record && <RecordOrigin recordId={record.id} />}
      {record && (
        <EvidenceFiles
          recordId={record.id}
          isFrozen={isFrozen}
          onCount={(count) => onEvidence(record.id, count)}
        />
      )}
    </section>
  )
}

const EMPTY = { sourceId: '0', periodStart: '2025-01-01', periodEnd: '2025-01-01' }

const emptyMessage = (row: GridRow | null) =>
  row === null
    ? 'Enter a period and a quantity, or paste rows from a spreadsheet.'
    : 'Enter a valid period, quantity and unit to see the result.'

type OutcomeProps = Pick<Props, 'lock' | 'onFactor'> & { preview: Output<typeof activities.preview> }

function Outcome({ preview, lock, onFactor }: OutcomeProps) {
  const { result, lines, problems, choice, gases, gwpSet } = preview
  const main = lines.filter(({ part, method }) => part === 'main' && method !== 'market')
  const first = main[0] ?? lines[0]
  return (
    <>
      <p className="fc-activity-figure">
        <b className="fc-number">{result?.kg ? showFigure(result.kg) : 'No result'}</b>
        {result?.kg && ' kg CO2e'}
      </p>
      {result?.problem && (
        <Status tone="warn" mark="alert">
          <bdi>{result.problem}</bdi>
        </Status>
      )}
      {problems.map(({ field, message, level }) => (
        <Status key={`${field} ${message}`} tone={level === 'error' ? 'bad' : 'warn'} mark="alert">
          <bdi>{message}</bdi>
        </Status>
      ))}
      {result && (
        <dl>
          {result.marketKg !== null && result.marketKg !== result.kg && (
            <Fact title="Market-based" kg={result.marketKg} />
          )}
          {Number(result.upstreamKg) !== 0 && <Fact title="Upstream, scope 3.3" kg={result.upstreamKg} />}
          {Number(result.biogenicKg) !== 0 && (
            <Fact title="Biogenic CO2, outside scopes" kg={result.biogenicKg} />
          )}
        </dl>
      )}
      {choice && (
        <FactorExplanation
          choice={choice}
          formula={first?.formula ?? null}
          flags={result?.flags.filter((flag) => flag !== 'by-hand') ?? []}
          lock={lock}
          onChoose={onFactor}
        />
      )}
      {!choice && first?.formula && (
        <p className="fc-activity-formula">
          <bdi>{first.formula}</bdi>
        </p>
      )}
      <GasSplit shares={gases} gwpSet={gwpSet} />
      {main.length > 0 && (
        <table>
          <caption>{main.length === 1 ? 'In one month' : 'Allocated to months by day'}</caption>
          <tbody>
            {main.map(({ id, month, quantity, unit, kg }) => (
              <tr key={`${id} ${month}`}>
                <th scope="row">{formatMonth(month)}</th>
                <td className="fc-number">
                  <bdi>{quantity === null ? '' : `${showFigure(quantity)} ${unit ?? ''}`}</bdi>
                </td>
                <td className="fc-number">{kg === null ? 'No result' : `${showFigure(kg)} kg`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Fact({ title, kg }: { title: string; kg: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className="fc-number">{showFigure(kg)} kg</dd>
    </div>
  )
}
