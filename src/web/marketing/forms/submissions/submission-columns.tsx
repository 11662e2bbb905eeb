import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import { labelOf } from '#contract/record.ts'
import {
  type Submission,
  type SUBMISSION_LIST,
  SUBMISSION_STATES,
} from '#contract/marketing/forms/submissions.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of the list. */
export const CELLS: Cells<Submission, keyof typeof SUBMISSION_LIST.fields> = {
  senderName: (submission) => (
    <>
      <SubmissionLink submission={submission} />
      {submission.comments !== null && (
        <span className="fc-second">
          <bdi>{submission.comments}</bdi>
        </span>
      )}
    </>
  ),
  lot: ({ lotName }) => <bdi>{lotName}</bdi>,
  state: (submission) => <SubmissionStatus {...submission} />,
  senderPhone: ({ senderPhone }) => <bdi className="fc-number">{senderPhone}</bdi>,
  sentAt: ({ sentAt }) => <time dateTime={sentAt}>{formatAgo(sentAt)}</time>,
}

export const WIDTHS = {
  senderName: 232,
  formName: 160,
  vehicleTitle: 204,
  lot: 168,
  state: 136,
  senderEmail: 208,
  senderPhone: 156,
  sentAt: 116,
}

/** A row on a narrow screen. */
export function SubmissionBlock({ submission }: { submission: Submission }) {
  const { vehicleTitle, formName, lotName, sentAt } = submission
  return (
    <>
      <div className="fc-block-head">
        <SubmissionLink submission={submission} />
        <time className="fc-small fc-soft" dateTime={sentAt}>
          {formatAgo(sentAt)}
        </time>
      </div>
      <div className="fc-small fc-faint">
        <bdi>{[vehicleTitle ?? formName, lotName].filter(Boolean).join(', ')}</bdi>
      </div>
      <div className="fc-small">
        <SubmissionStatus {...submission} />
      </div>
    </>
  )
}

const LOOKS = {
  received: { tone: 'good', mark: 'check' },
  unfinished: { tone: 'info', mark: 'half' },
  quarantined: { tone: 'warn', mark: 'alert' },
} as const

/** Whether it was received completely, and whether it is a test. */
export function SubmissionStatus({
  state,
  isTest,
  isPill = false,
}: {
  state: Submission['state']
  isTest: boolean
  isPill?: boolean
}) {
  return (
    <Status {...LOOKS[state]} isPill={isPill}>
      {labelOf(SUBMISSION_STATES, state)}
      {isTest && ', test'}
    </Status>
  )
}

/** Opens the submission of the row. */
function SubmissionLink({
  submission: { id, senderName, senderEmail, senderPhone },
}: {
  submission: Submission
}) {
  return (
    <MayOpen for={submissions.get}>
      <Link
        from="/dvp/submissions"
        to="/dvp/submissions"
        search={(before) => ({ ...before, submission: id })}
        className="fc-name"
      >
        <bdi>{senderName ?? senderEmail ?? senderPhone ?? 'No name'}</bdi>
      </Link>
    </MayOpen>
  )
}
