import { TextInput } from '@mantine/core'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { type Assessment, assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentVersions } from '#contract/assessments/assessments/version-change.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { ask, askFor, showError } from '#web/ui/overlay/dialogs.tsx'
import { nameForNextYear, ownLock } from './assessment-labels.ts'
import { ChangeVersionForm } from './ChangeVersionForm.tsx'

const sendDuplicate = send(assessments.duplicate)
const sendClose = send(assessments.close)
const sendReopen = send(assessments.reopen)
const sendVersion = send(assessmentVersions.change)
const sendRemove = send(assessments.remove)

/** Asks for a name, then adds a draft for the next year. @returns the draft, or null if the user canceled */
export async function duplicateAssessment(assessment: Assessment): Promise<Assessment | null> {
  const added = await askFor<Assessment>('Duplicate for next year', (answer) => (
    <DuplicateForm assessment={assessment} onAnswer={answer} />
  ))
  if (added !== null) toast('Assessment added', added.name)
  return added
}

/** Asks for a version of the questionnaire, and shows what happens to the answers. It can be undone. */
export async function changeAssessmentVersion(assessment: Assessment) {
  const { id, name, questionnaireNumber } = assessment
  const moved = await askFor<Assessment>(`Move ${name} to another version`, (answer) => (
    <ChangeVersionForm assessment={assessment} onAnswer={answer} />
  ))
  if (moved === null) return
  offerUndo({
    text: `${name} uses version ${moved.questionnaireNumber}`,
    undo: () => sendVersion({ id, number: questionnaireNumber }),
  })
}

/** Why it can’t move to another version, as a sentence; null if it can. */
export function versionLock(assessment: Assessment): string | null {
  if (assessment.status === 'open') return ownLock(assessment)
  return assessment.status === 'draft'
    ? 'Choose the version in the details of the draft.'
    : 'Reopen the assessment to move it to another version.'
}

/** Asks, then closes the assessment. */
export async function closeAssessment({
  id,
  name,
  notStarted,
  inProgress,
  changesRequested,
  submitted,
}: Assessment) {
  const open = notStarted + inProgress + changesRequested
  const isSure = await ask({
    title: `Close ${name}?`,
    text: `${
      open === 0
        ? ''
        : `${count(open, 'target is', 'targets are')} not submitted and can't be answered anymore. `
    }${
      submitted === 0
        ? ''
        : `${count(submitted, 'target is', 'targets are')} submitted but not approved, and can't be approved while the assessment is closed. `
    }Answers stay readable. You can reopen the assessment later.`,
    confirm: 'Close assessment',
  })
  if (isSure && (await shown(sendClose({ id }))) !== null) toast('Assessment closed', name)
}

/** Opens a closed assessment again. Its targets have their former states. */
export async function reopenAssessment({ id, name }: Assessment) {
  if ((await shown(sendReopen({ id }))) !== null) toast('Assessment reopened', name)
}

/** Asks, then deletes the assessment. @returns whether it is deleted */
export async function removeAssessment(assessment: Assessment): Promise<boolean> {
  const { name } = assessment
  const done = await askToRemove({
    read: assessments.get,
    shown: assessment,
    thing: 'this assessment',
    question: {
      title: `Delete ${name}?`,
      text: "Its targets and people will be deleted too. This can't be undone.",
      confirm: 'Delete assessment',
    },
    run: ({ id, version }) => sendRemove({ id, version }),
  })
  if (done !== null && done !== 'gone') toast('Assessment deleted', name)
  return done !== null
}

/** Why it can’t be closed, as a sentence; null if it can. */
export function closeLock(assessment: Assessment): string | null {
  if (assessment.status === 'open') return ownLock(assessment)
  return assessment.status === 'draft'
    ? 'This assessment is not open yet.'
    : 'This assessment is already closed.'
}

/** Why it can’t be reopened, as a sentence; null if it can. */
export const reopenLock = (assessment: Assessment): string | null =>
  assessment.status === 'closed' ? ownLock(assessment) : 'This assessment is not closed.'

/** Why it can’t be deleted, as a sentence; null if it can. */
export function removeLock(assessment: Assessment): string | null {
  const { inProgress, submitted, changesRequested, approved } = assessment
  if (inProgress + submitted + changesRequested + approved > 0)
    return 'This assessment has answers. Close it instead.'
  return ownLock(assessment)
}

async function shown<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    showError(failure)
    return null
  }
}

type DuplicateProps = { assessment: Assessment; onAnswer: (added: Assessment | null) => void }

/** Asks for the name of the next assessment, and adds it as a draft. */
function DuplicateForm({ assessment: { id, name }, onAnswer }: DuplicateProps) {
  const call = useCallForm({
    endpoint: assessments.duplicate,
    about: id,
    initial: { name: nameForNextYear(name) },
    send: (values) => sendDuplicate({ id, ...values }),
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm="Add draft" onCancel={() => onAnswer(null)}>
      <p>
        <bdi>
          Adds a draft with the same targets and people. Its dates are a year later, and it uses the latest
          version of the questionnaire.
        </bdi>
      </p>
      <TextInput
        {...call.field('name')}
        label="Name"
        required
        data-autofocus
        maxLength={120}
        autoComplete="off"
      />
    </CallForm>
  )
}
