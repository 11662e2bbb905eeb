import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import {
  assessmentVersions,
  type DroppedAnswer,
  type VersionPlan,
} from '#contract/assessments/assessments/version-change.ts'
import { query, send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ChangeList } from '#web/ui/document/ChangeList.tsx'

const changeVersion = send(assessmentVersions.change)
const MOST_CHANGES = 50

type Props = { assessment: Assessment; onAnswer: (moved: Assessment | null) => void }

/** Asks which version of its questionnaire an open assessment should ask, and shows what happens to the answers. */
export function ChangeVersionForm({ assessment, onAnswer }: Props) {
  const { questionnaireId, questionnaireNumber } = assessment
  const { data, error } = useQuery(query(assessmentSetup.questionnaires, {}))
  if (error) return <Problem text={error.message} />
  if (data === undefined) return <Spinner label="Loading the versions" />
  const versions = data
    .find(({ id }) => id === questionnaireId)
    ?.versions.filter(({ number }) => number !== questionnaireNumber)
  const [newest] = versions ?? []
  if (versions === undefined || newest === undefined) {
    return (
      <>
        <p>
          Version {questionnaireNumber} is the only one. Publish another version of the questionnaire first.
        </p>
        <div className="fc-buttons">
          <Button variant="default" onClick={() => onAnswer(null)}>
            Cancel
          </Button>
        </div>
      </>
    )
  }
  return (
    <ChosenVersion
      assessment={assessment}
      numbers={versions.map(({ number }) => number)}
      newest={newest.number}
      onAnswer={onAnswer}
    />
  )
}

type ChosenProps = Props & { numbers: readonly number[]; newest: number }

function ChosenVersion({ assessment: { id }, numbers, newest, onAnswer }: ChosenProps) {
  const [number, setNumber] = useState(newest)
  const plan = useQuery({ ...query(assessmentVersions.plan, { id, number }), staleTime: 0 })
  const { data } = plan
  const isPossible = data !== undefined && data.problems.length === 0
  const call = useCallForm({
    endpoint: assessmentVersions.change,
    about: id,
    initial: {},
    send: () => changeVersion({ id, number, dropped: data?.droppedCount ?? 0 }),
    // Answers were saved meanwhile: the list is read again.
    onRefused: () => void plan.refetch(),
    onDone: onAnswer,
  })
  return (
    <CallForm
      call={call}
      for={assessmentVersions.change}
      confirm={isPossible ? labelFor(data, number) : null}
      isReady={isPossible}
      onCancel={() => onAnswer(null)}
    >
      <Select
        label="Version"
        data-autofocus
        allowDeselect={false}
        data={numbers.map((one) => ({ value: String(one), label: `Version ${one}` }))}
        value={String(number)}
        onChange={(value) => setNumber(Number(value ?? number))}
      />
      {plan.error && <Problem text={plan.error.message} />}
      {data === undefined && !plan.error && <Spinner label="Comparing the versions" />}
      {data && <Plan plan={data} />}
    </CallForm>
  )
}

const labelFor = ({ targets, droppedCount }: VersionPlan, number: number): string =>
  droppedCount === 0
    ? `Move ${count(targets, 'target', 'targets')} to version ${number}`
    : `Move and set aside ${count(droppedCount, 'answer', 'answers')}`

function Plan({ plan }: { plan: VersionPlan }) {
  const { problems, changes, kept, restored, dropped, droppedCount } = plan
  return (
    <>
      {problems.map((problem) => (
        <p key={problem}>
          <Status tone="warn" mark="alert">
            <bdi>{problem}</bdi>
          </Status>
        </p>
      ))}
      <p>
        {count(kept, 'answer stays', 'answers stay')} as {kept === 1 ? 'it is' : 'they are'}.
        {restored > 0 &&
          ` ${count(restored, 'answer that was set aside counts', 'answers that were set aside count')} again.`}{' '}
        {droppedCount === 0
          ? 'No answer is set aside.'
          : `${count(droppedCount, 'answer doesn’t', 'answers don’t')} fit. They stay in the history, and come back if you move back to version ${plan.from} before the question is answered again.`}
      </p>
      {droppedCount > 0 && <Dropped dropped={dropped} total={droppedCount} />}
      <h3 className="fc-dialog-heading">What changes in the questions</h3>
      <ChangeList changes={changes} most={MOST_CHANGES} />
    </>
  )
}

const REASONS = {
  removed: 'The question is gone.',
  changed: 'The question accepts other answers now.',
  partly: 'Only a part of it fits.',
} as const satisfies Record<DroppedAnswer['reason'], string>

function Dropped({ dropped, total }: { dropped: readonly DroppedAnswer[]; total: number }) {
  return (
    <>
      <h3 className="fc-dialog-heading">Answers that are set aside</h3>
      <ul className="fc-left fc-version-dropped">
        {dropped.map(({ targetName, title, answer, reason }, at) => (
          <li key={at}>
            <b>
              <bdi>{targetName}</bdi>
            </b>
            : <bdi>{title}</bdi>
            <span className="fc-second">
              <bdi>“{answer}”.</bdi> {REASONS[reason]}
            </span>
          </li>
        ))}
      </ul>
      {total > dropped.length && (
        <p className="fc-small fc-soft">
          And {count(total - dropped.length, 'other answer', 'other answers')}.
        </p>
      )}
    </>
  )
}

function Problem({ text }: { text: string }) {
  return (
    <p role="alert" className="fc-form-alert">
      <bdi>{text}</bdi>
    </p>
  )
}
