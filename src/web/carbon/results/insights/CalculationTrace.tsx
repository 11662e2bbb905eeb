import { showFigure } from '#contract/carbon/factors/figure.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { ExplainedResult } from '#contract/carbon/results/ledger.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { splitGases } from '#contract/carbon/factors/gas-split.ts'
import { flagLabel, formatMonth } from '#web/carbon/activity/records/activity-labels.ts'
import { GasSplit } from '#web/carbon/activity/records/GasSplit.tsx'
import { type Fact, FactList } from '#web/ui/record/Facts.tsx'
import { RecordEvidence } from './RecordEvidence.tsx'
import { formulaOf } from '#web/carbon/factors/factor-labels.ts'

/** How one result was calculated: the formula, and the publisher, edition, table and row of its factor. */
export function CalculationTrace({ result }: { result: ExplainedResult }) {
  const { factor, perUnit, record } = result
  return (
    <div className="fc-insights-explained">
      <p className="fc-insights-figure">
        <b>{result.kg === null ? 'No result' : showFigure(result.kg)}</b>
        {result.kg !== null && ' kg CO2e'}
      </p>
      {result.problem !== null && (
        <Status tone="warn" mark="alert">
          <bdi>{result.problem}</bdi>
        </Status>
      )}
      {result.formula !== null && (
        <section aria-label="Formula">
          <h3>Formula</h3>
          <p className="fc-insights-formula">
            <bdi>{result.formula}</bdi>
          </p>
        </section>
      )}
      <FactList facts={factsOf(result)} />
      {record && <RecordEvidence recordId={record.id} />}
      {result.flags.length > 0 && (
        <ul>
          {result.flags.map((flag) => (
            <li key={flag}>
              <bdi>{flagLabel(flag)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {/* With certificates the amount isn't based on one factor, so it can't be split by its gases. */}
      {perUnit && result.amount !== null && !result.flags.includes('certificates') && (
        <GasSplit shares={splitGases([{ perUnit, amount: result.amount }])} gwpSet={result.gwpSet} />
      )}
      {factor && perUnit && (
        <section aria-label="Emissions per unit, by gas">
          <h3>Emissions per unit, by gas</h3>
          <ul>
            {formulaOf(factor, perUnit).map((line) => (
              <li key={line}>
                <bdi>{line}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function factsOf(result: ExplainedResult): Fact[] {
  const { factor, record } = result
  const isImported = result.part === 'imported'
  return [
    ['Month', formatMonth(result.month)],
    ['Facility', result.facilityName],
    ['Scope', `${result.scope}${result.method === null ? '' : `, ${result.method}-based`}`],
    ['Allocated quantity', result.quantity !== null && `${showFigure(result.quantity)} ${result.unit ?? ''}`],
    ['Bill', record && billOf(record)],
    ['Comment', record?.comment],
    ['Conversion', result.conversion],
    [
      'Included',
      result.inclusion !== null && `${showFigure(result.inclusion)}%. ${result.inclusionReason ?? ''}`,
    ],
    ...(factor ? factorFacts(factor) : []),
    ['GWP set', !isImported && gwpSetOf(result)],
    [
      'Biogenic CO2, outside scopes',
      Number(result.biogenicKg) !== 0 && `${showFigure(result.biogenicKg)} kg`,
    ],
    isImported
      ? ['Imported', new Date(result.calculatedAt).toLocaleString()]
      : ['Calculated', `${new Date(result.calculatedAt).toLocaleString()}, engine ${result.engineVersion}`],
  ]
}

function billOf({
  quantity,
  unit,
  periodStart,
  periodEnd,
  reference,
}: NonNullable<ExplainedResult['record']>) {
  const amount = quantity === null ? '' : `${showFigure(quantity)} ${unit ?? ''}, `
  return `${amount}${writeDay(periodStart)} to ${writeDay(periodEnd)}${reference === null ? '' : `, ${reference}`}`
}

function factorFacts(factor: NonNullable<ExplainedResult['factor']>): Fact[] {
  return [
    ['Publisher', factor.publisher],
    ['Edition', `${factor.dataset}, ${factor.edition}`],
    ['Table', factor.table ?? 'Not given'],
    ['Row', factor.rows ?? factor.name],
    ['Source note', factor.sourceNote],
    ['Region', factor.region === 'any' ? 'Any' : factor.region],
  ]
}

/** The GWP set of a factor that was published as CO2e is the publisher's, not the inventory's. */
function gwpSetOf({ flags, factor, gwpSet }: ExplainedResult): string {
  if (!flags.includes('fixed')) return gwpSet
  return factor?.gwpSet == null ? 'Published as CO2e, GWP set not stated' : `${factor.gwpSet}, as published`
}
