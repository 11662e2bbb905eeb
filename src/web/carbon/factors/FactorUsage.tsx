import { Link } from '@tanstack/react-router'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { type FactorUsage as Usage, factors } from '#contract/carbon/factors/factors.ts'
import { isFrozen, STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { query } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'

/** What an edit of a custom factor affects: the records that are recalculated, and the inventories that keep their figures. */
export function FactorUsage({ id }: { id: string }) {
  return (
    <Loaded
      query={{ ...query(factors.usage, { id }), gcTime: 0 }}
      what="the affected records"
      shape="spinner"
    >
      {(data) => {
        const frozen = data.inventories.filter(({ status }) => isFrozen(status))
        if (data.inventories.length === 0)
          return (
            <div className="fc-factor-usage">
              <p className="fc-soft">Nothing uses this factor yet.</p>
            </div>
          )
        return (
          <section className="fc-factor-usage" aria-label="Affected records">
            <h3>{data.affected === 0 ? 'No records change' : affectedTitle(data)}</h3>
            {frozen.length > 0 && (
              <p className="fc-small">
                <bdi>
                  {frozen
                    .map(({ name, status }) => `${name} (${STATUS_NAMES[status].toLowerCase()})`)
                    .join(', ')}{' '}
                  {frozen.length === 1 ? 'keeps its' : 'keep their'} figures and the version they were
                  calculated with.
                </bdi>
              </p>
            )}
            <AffectedRecords usage={data} />
          </section>
        )
      }}
    </Loaded>
  )
}

const affectedTitle = ({ affected }: Usage): string =>
  `Saving recalculates ${count(affected, 'record', 'records')}. Approved ones with another result go back into review.`

function AffectedRecords({ usage: { affected, records } }: { usage: Usage }) {
  return (
    <ul className="fc-factor-records">
      {records.map((record) => (
        <li key={record.recordId}>
          <Link to="/carbon/emission" search={{ inventory: record.inventoryId, tab: 'activity' }}>
            <bdi>
              {sourceTitle(record)}, {record.facilityName}
            </bdi>
          </Link>
          <bdi className="fc-second">
            {record.inventoryName}, {writeDay(record.periodStart)} to {writeDay(record.periodEnd)}
          </bdi>
          <bdi className="fc-number">
            {record.quantity === null ? '' : `${showFigure(record.quantity)} ${record.unit ?? ''}, `}
            {record.kg === null ? 'no result' : `${showFigure(record.kg)} kg CO2e`}
          </bdi>
        </li>
      ))}
      {affected > records.length && <li>And {(affected - records.length).toLocaleString()} more.</li>}
    </ul>
  )
}
