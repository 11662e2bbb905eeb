import { Checkbox } from '@mantine/core'
import type { ActivityRecord } from '#contract/carbon/activity-fields.ts'
import { showFigure } from '#contract/carbon/figure.ts'
import type { YearBefore } from '#contract/carbon/year-before.ts'
import { count } from '#web/ui/moment.ts'
import { Status } from '#web/ui/Status.tsx'
import { YearBeforeLink } from './GoneMonths.tsx'
import { RowActions } from './RowActions.tsx'

type Props = {
  record: ActivityRecord
  title: string
  /** What is unusual about it. */
  outlier: string | null
  /** How far it is from the year before. */
  unusual: YearBefore['odd'][number] | null
  /** Why it can be neither approved nor returned. */
  lock: string | null
  onApprove: () => void
  onReturn: () => void
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** One record that waits: what it says, what it comes to, and what wants a look. */
export function ReviewRow(props: Props) {
  const { record, title, outlier, unusual, lock, isChosen, onChoose, onApprove, onReturn } = props
  const {
    facilityName,
    periodStart,
    periodEnd,
    quantity,
    unit,
    result,
    kind,
    updatedBy,
    comment,
    reference,
    evidence,
  } = record
  const name = `${title}, ${facilityName}, ${periodStart} to ${periodEnd}`
  return (
    <li data-chosen={isChosen}>
      <Checkbox
        aria-label={name}
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <div>
        <bdi className="fc-name">
          {title}, {facilityName}
        </bdi>
        <bdi className="fc-second">
          {periodStart} to {periodEnd}
          {reference !== null && `, bill ${reference}`}
          {updatedBy !== null && `, by ${updatedBy}`}
        </bdi>
        {comment !== null && <bdi className="fc-second">{comment}</bdi>}
      </div>
      <div className="fc-review-marks">
        {outlier !== null && (
          <Status tone="warn" mark="alert">
            {outlier}
          </Status>
        )}
        {unusual !== null && (
          <>
            <Status tone="warn" mark="alert">
              <bdi>{unusual.sentence}</bdi>
            </Status>
            <YearBeforeLink inventoryId={unusual.inventoryId} sourceId={unusual.sourceId} />
          </>
        )}
        {(unusual !== null || outlier !== null) && (
          <RowActions name={name} lock={lock} onApprove={onApprove} onReturn={onReturn} />
        )}
        {kind === 'estimate' && (
          <Status tone="info" mark="quarter">
            Estimate
          </Status>
        )}
        {evidence === 0 && kind !== 'estimate' && <span className="fc-small fc-soft">No evidence</span>}
        {evidence > 0 && <span className="fc-small fc-soft">{count(evidence, 'file', 'files')}</span>}
        {result !== null && result.kg === null && (
          <Status tone="warn" mark="alert">
            <bdi>{result.problem ?? 'No result'}</bdi>
          </Status>
        )}
      </div>
      <div className="fc-review-figures fc-number">
        <bdi>
          {quantity === null ? 'No quantity' : showFigure(quantity)} {unit}
        </bdi>
        <bdi className="fc-second">{result?.kg ? `${showFigure(result.kg)} kg CO2e` : 'No result'}</bdi>
      </div>
    </li>
  )
}
