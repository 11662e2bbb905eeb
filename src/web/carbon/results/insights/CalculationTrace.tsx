import type { ReactNode } from 'react'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { ExplainedResult } from '#contract/carbon/results/ledger.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { splitGases } from '#contract/carbon/factors/gas-split.ts'
import { flagLabel, formatMonth } from '#web/carbon/activity/records/activity-labels.ts'
import { GasSplit } from '#web/carbon/activity/records/GasSplit.tsx'
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
      <Facts result={result} />
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

function Facts({ result }: { result: ExplainedResult }) {
  const { factor, record } = result
  return (
    <dl>
      <Fact title="Month">{formatMonth(result.month)}</Fact>
      <Fact title="Facility">{result.facilityName}</Fact>
      <Fact title="Scope">
        {result.scope}
        {result.method !== null && `, ${result.method}-based`}
      </Fact>
      {result.quantity !== null && (
        <Fact title="Allocated quantity">
          {showFigure(result.quantity)} {result.unit}
        </Fact>
      )}
      {record && (
        <Fact title="Bill">
          {record.quantity === null ? '' : `${showFigure(record.quantity)} ${record.unit ?? ''}, `}
          {writeDay(record.periodStart)} to {writeDay(record.periodEnd)}
          {record.reference !== null && `, ${record.reference}`}
        </Fact>
      )}
      {record?.comment && <Fact title="Comment">{record.comment}</Fact>}
      {result.conversion !== null && <Fact title="Conversion">{result.conversion}</Fact>}
      {result.inclusion !== null && (
        <Fact title="Included">
          {showFigure(result.inclusion)}%. {result.inclusionReason}
        </Fact>
      )}
      {factor && (
        <>
          <Fact title="Publisher">{factor.publisher}</Fact>
          <Fact title="Edition">
            {factor.dataset}, {factor.edition}
          </Fact>
          <Fact title="Table">{factor.table ?? 'Not given'}</Fact>
          <Fact title="Row">{factor.rows ?? factor.name}</Fact>
          {factor.sourceNote !== null && <Fact title="Source note">{factor.sourceNote}</Fact>}
          <Fact title="Region">{factor.region === 'any' ? 'Any' : factor.region}</Fact>
        </>
      )}
      <Fact title="GWP set">{gwpSetOf(result)}</Fact>
      {Number(result.biogenicKg) !== 0 && (
        <Fact title="Biogenic CO2, outside scopes">{showFigure(result.biogenicKg)} kg</Fact>
      )}
      <Fact title="Calculated">
        {new Date(result.calculatedAt).toLocaleString()}, engine {result.engineVersion}
      </Fact>
    </dl>
  )
}

/** The GWP set of a factor that was published as CO2e is the publisher's, not the inventory's. */
function gwpSetOf({ flags, factor, gwpSet }: ExplainedResult): string {
  if (!flags.includes('fixed')) return gwpSet
  return factor?.gwpSet == null ? 'Published as CO2e, GWP set not stated' : `${factor.gwpSet}, as published`
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}
