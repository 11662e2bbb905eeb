import { capitalize } from '#contract/capitalize.ts'
import { Button, Menu } from '@mantine/core'
import { IconChevronRight, IconDots } from '@tabler/icons-react'
import type { PresentPerson } from '#contract/assessments/targets/presence.ts'
import { assessmentTargets, type TargetRecord } from '#contract/assessments/targets/targets.ts'
import { targetSnapshots } from '#contract/assessments/targets/target-snapshots.ts'
import { targetReopenings } from '#contract/assessments/targets/target-reopenings.ts'
import { isAnswerable, wasApprovedByTwo } from '#contract/assessments/targets/target-states.ts'
import { reports } from '#contract/reports/reports.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { askFor, showError, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { PresentPeople } from '../answering/PresentPeople.tsx'
import { sayPresent } from '../answering/say-present.ts'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { TargetSnapshots } from './TargetSnapshots.tsx'
import { requestingChanges } from './panel/FlagCard.tsx'
import { TargetStatus } from './TargetStatus.tsx'
import { useOpenTargetReopening, useTargetReopening } from './TargetReopeningNotice.tsx'
import type { TargetState } from './use-target.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const submitTarget = send(assessmentTargets.submit)
const startReview = send(assessmentTargets.startReview)
const requestChanges = send(assessmentTargets.requestChanges)
const approveTarget = send(assessmentTargets.approve)
const reopenTarget = send(assessmentTargets.reopen)

type Props = {
  target: TargetState
  /** Others who have this target open. */
  present: readonly PresentPerson[]
  /** Comments of the changes to request, by question. */
  flags: ReadonlyMap<string, string>
  onFlagged: () => void
  onProblem: (code: string) => void
  onScore: () => void
}

/** Name, state and the actions of this state. */
export function TargetHeader(props: Props) {
  const { target, present } = props
  const { record } = target
  return (
    <header className="fc-page-header fc-target-head">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/assessments">Assessments</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <Link to="/assessments/$id" params={{ id: record.assessmentId }} className="fc-cut">
            <bdi>{record.assessment.name}</bdi>
          </Link>
        </nav>
        <div className="fc-title-row">
          <RecordHeading name={record.name} />
          <TargetStatus state={record.state} isOverdue={record.isOverdue} isPill />
        </div>
        <p aria-live="polite">
          <bdi>{describe(record)}</bdi>
        </p>
        <PresentPeople people={present} say={sayPresent('has this open too', 'have this open too')} />
      </div>
      <div className="fc-row fc-target-actions">
        {record.score !== null && record.scores !== null && (
          <Button variant="default" onClick={props.onScore}>
            Score {record.score}
          </Button>
        )}
        <TargetMenu target={props.target} />
        <StateActions {...props} />
      </div>
    </header>
  )
}

/** "Due Nov 30, owner Tom Becker, submitted Nov 21 by Tom Becker". */
function describe(record: TargetRecord): string {
  const { dueOn, ownerName, submittedAt, submittedBy, approvedAt, approvals, assessment, state } = record
  const parts = [
    record.facilityId === null ? null : record.organizationName,
    isAnswerable(state) ? `due ${formatDay(`${dueOn}T00:00`)}` : null,
    ownerName === null ? 'no owner' : `owner ${ownerName}`,
    submittedAt === null || isAnswerable(state)
      ? null
      : `submitted ${formatDay(submittedAt)}${submittedBy === null ? '' : ` by ${submittedBy}`}`,
    approvedAt === null
      ? null
      : `approved ${formatDay(approvedAt)} by ${record.reviewerName ?? 'a reviewer'}`,
    state === 'in_review' && assessment.review === 'two' && approvals === 1 ? '1 of 2 approvals' : null,
  ]
  const words = parts.filter((part) => part !== null).join(', ')
  return capitalize(words)
}

/** Submitting while answers are open; reviewing after that. */
function StateActions(props: Props) {
  const { state, assessment } = props.target.record
  if (isAnswerable(state)) return assessment.status === 'open' ? <SubmitAction {...props} /> : null
  if (assessment.review === 'none' || assessment.status !== 'open') return null
  return state === 'submitted' || state === 'in_review' ? <ReviewActions {...props} /> : null
}

function SubmitAction({ target, onProblem }: Props) {
  const { record, problems, answering, state, keep } = target
  const submit = useMutation<TargetRecord>({
    mutationFn: async () => {
      await answering.sync.flush()
      return submitTarget({ id: record.id })
    },
    onSuccess: (next) => {
      keep(next)
      toast('Submitted', next.name)
    },
    onError: (failure) => showError(failure, 'Not submitted'),
  })
  const [first] = problems
  const mayAnswer = record.open.length > 0 || record.openRows.length > 0
  if (first !== undefined && record.maySubmit && mayAnswer) {
    return (
      <Button onClick={() => onProblem(first.question)}>
        Fix {count(problems.length, 'answer', 'answers')} to submit
      </Button>
    )
  }
  return (
    <Action
      for={assessmentTargets.submit}
      lock={submitLock(
        target,
        state.sync.queue.changes.some((one) => one.state === 'conflict'),
      )}
      loading={submit.isPending}
      onClick={() => submit.mutate()}
    >
      Submit
    </Action>
  )
}

function submitLock(
  { record, answering, problems, state }: TargetState,
  hasConflict: boolean,
): string | null {
  if (!record.maySubmit) return 'Only the owner of this target can submit it.'
  if (hasConflict) return 'Two people changed the same answer. Choose which one to keep first.'
  const { problem } = state.sync
  if (problem !== null && answering.sync.countWaiting() > 0)
    return 'Some answers are not sent yet. Submit when they are.'
  return problems.length > 0
    ? `${count(problems.length, 'answer is', 'answers are')} missing or incomplete.`
    : null
}

function ReviewActions({ target, flags, onFlagged }: Props) {
  const { record, keep } = target
  const options = {
    onSuccess: keep,
    onError: (failure: CallFailure) => showError(failure),
  }
  const start = useMutation({ mutationFn: startReview, ...options })
  const approve = useMutation({
    mutationFn: approveTarget,
    ...options,
    onSuccess: (next: TargetRecord) => {
      keep(next)
      toast(next.state === 'approved' ? 'Approved' : 'Approved, one more approval needed', next.name)
    },
  })
  const request = useMutation({
    mutationKey: requestingChanges(record.id),
    mutationFn: requestChanges,
    ...options,
    onSuccess: (next: TargetRecord) => {
      keep(next)
      onFlagged()
      toast('Changes requested', next.name)
    },
  })
  if (flags.size > 0) {
    const wanted = [...flags].map(([questionCode, comment]) => ({ questionCode, comment: comment.trim() }))
    const isMissing = wanted.some(({ comment }) => comment === '')
    return (
      <Action
        for={assessmentTargets.requestChanges}
        lock={isMissing ? 'Describe the change for each question.' : null}
        loading={request.isPending}
        onClick={() => request.mutate({ id: record.id, flags: wanted })}
      >
        Request {count(flags.size, 'change', 'changes')}
      </Action>
    )
  }
  return (
    <>
      {record.state === 'submitted' && (
        <Action
          for={assessmentTargets.startReview}
          variant="default"
          loading={start.isPending}
          onClick={() => start.mutate({ id: record.id })}
        >
          Start review
        </Action>
      )}
      <Action
        for={assessmentTargets.approve}
        lock={record.approvalProblem}
        loading={approve.isPending}
        onClick={() => approve.mutate({ id: record.id })}
      >
        Approve
      </Action>
    </>
  )
}

const FORMATS = [
  { format: 'xlsx', label: 'Download as Excel workbook' },
  { format: 'pdf', label: 'Download as PDF' },
] as const

/** Actions that are needed less often. */
function TargetMenu({ target: { record, keep } }: { target: TargetState }) {
  async function askToReopen() {
    const reopened = await askFor<TargetRecord>(`Reopen ${record.name}?`, (answer) => (
      <ReasonForm
        max={1000}
        missing="Reason is required."
        text="All questions can be changed again, and it has to be submitted and reviewed again. People without an account get an email with your reason and a new link. The submitted and approved answers stay stored, under Frozen answers."
        confirm="Reopen"
        endpoint={assessmentTargets.reopen}
        about={record.id}
        send={(reason) => reopenTarget({ id: record.id, reason })}
        onAnswer={answer}
      />
    ))
    if (reopened !== null) keep(reopened)
  }
  const showFrozen = () =>
    showNotice(
      `Frozen answers of ${record.name}`,
      <TargetSnapshots targetId={record.id} name={record.name} />,
    )
  const isDone = record.state === 'submitted' || record.state === 'in_review' || record.state === 'approved'
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" aria-label="More actions" px={8}>
          <IconDots size={16} aria-hidden="true" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {wasApprovedByTwo(record) ? (
          <RequestItem record={record} />
        ) : (
          <ActionItem
            for={assessmentTargets.reopen}
            lock={isDone ? reopenLock(record) : 'Only submitted or approved answers can be reopened.'}
            onClick={() => void askToReopen()}
          >
            Reopen
          </ActionItem>
        )}
        <ActionItem for={targetSnapshots.list} onClick={showFrozen}>
          Frozen answers
        </ActionItem>
        {FORMATS.map(({ format, label }) => (
          <ActionItem
            key={format}
            for={reports.make}
            onClick={() =>
              void fetchFile(
                reports.make,
                { name: 'assessment-answers', format, id: record.id },
                `Answers of ${record.name}`,
              ).catch(showError)
            }
          >
            {label}
          </ActionItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Two people approved it, so a second one has to confirm that it is reopened. */
function RequestItem({ record }: { record: TargetRecord }) {
  const open = useOpenTargetReopening(record)
  const { request } = useTargetReopening(record)
  const isAsked = 'Someone has already asked for this. Confirm or decline the request.'
  return (
    <ActionItem
      for={targetReopenings.request}
      lock={reopenLock(record) ?? (open === null ? null : isAsked)}
      onClick={() => void request()}
    >
      Request to reopen
    </ActionItem>
  )
}

function reopenLock({ assessment }: TargetRecord): string | null {
  if (assessment.status !== 'open') return 'Reopen the assessment first.'
  return assessment.isOwn ? null : `${assessment.organizationName} runs this assessment and can reopen it.`
}
