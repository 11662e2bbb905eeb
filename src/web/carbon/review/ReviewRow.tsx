import { Checkbox } from '@mantine/core'
import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { UnusualRecord } from '#contract/carbon/review/unusual.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { YearBeforeLink } from './MissingMonths.tsx'
import { RowActions } from './RowActions.tsx'

type Props = {
  record: ActivityRecord
  title: string
  /** Why it is flagged; null if it isn't. */
  unusual: UnusualRecord | null
  /** Why it can't be approved or returned; null if it can. */
  lock: string | null
  onApprove: () => void
  onReturn: () => void
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** One record in review: its data, its emissions, and why it is flagged. */
export function ReviewRow(props: Props) {
  const { record, title, unusual, lock, isChosen, onChoose, onApprove, onReturn } = props
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
    reviewComment,
    reference,
    evidence,
  } = record
  const name = `${title}, ${facilityName}, ${periodStart} to ${periodEnd}`
  // A missing result is shown with the record itself.
  const reasons = unusual?.reasons.filter(({ kind: reason }) => reason !== 'no_result') ?? []
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
        {reviewComment !== null && (
          <Status tone="warn" mark="alert">
            <bdi>{reviewComment}</bdi>
          </Status>
        )}
      </div>
      <div className="fc-review-marks">
        {reasons.map(({ kind: reason, sentence }) => (
          <Status key={reason} tone="warn" mark="alert">
            <bdi>{sentence}</bdi>
          </Status>
        ))}
        {unusual?.yearBefore && (
          <YearBeforeLink
            inventoryId={unusual.yearBefore.inventoryId}
            sourceId={unusual.yearBefore.sourceId}
          />
        )}
        {reasons.length > 0 && (
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
