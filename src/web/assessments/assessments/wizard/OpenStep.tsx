import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import {
  type Assessment,
  assessments,
  type UnanswerableTarget,
} from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { REVIEWS } from '#contract/assessments/targets/target-states.ts'
import { labelOf } from '#contract/record.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { useToday } from '#web/session/use-today.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { ownLock, showDay, showPeriod } from '../assessment-labels.ts'
import { describeEmails } from './opening.ts'

const openAssessment = send(assessments.open)

/** What will happen when the assessment opens, and which targets no one can answer. */
export function OpenStep({ assessment }: { assessment: Assessment }) {
  const { id } = assessment
  const emails = useLoad(query(assessmentSetup.emails, { id }))
  const check = useLoad(query(assessments.check, { id }))
  return (
    <Loaded
      query={both(check, emails)}
      what="the check before opening"
      shape="spinner"
      label="Checking who can answer"
    >
      {([unanswerable, sent]) => (
        <CheckedStep assessment={assessment} emails={describeEmails(sent)} unanswerable={unanswerable} />
      )}
    </Loaded>
  )
}

type CheckedProps = {
  assessment: Assessment
  /** As a sentence. */
  emails: string
  unanswerable: readonly UnanswerableTarget[]
}

function CheckedStep({ assessment, emails, unanswerable }: CheckedProps) {
  const { id, name, dueOn } = assessment
  const navigate = useNavigate()
  const today = useToday()
  const open = useMutation({
    mutationFn: openAssessment,
    onSuccess: () => {
      toast('Assessment opened', name)
      void navigate({ to: '/assessments/$id', params: { id }, search: {}, replace: true })
    },
    onError: (failure) => showError(failure),
  })
  const start = async () => {
    const isSure = await ask({ title: `Open ${name}?`, text: emails, confirm: 'Open assessment' })
    if (isSure) open.mutate({ id, isIncomplete: unanswerable.length > 0 })
  }
  const fix = () => void navigate({ to: '/assessments/$id', params: { id }, search: { step: 'people' } })
  const isReady = unanswerable.length === 0
  return (
    <section className="fc-opening" aria-label="Before opening">
      <Facts assessment={assessment} today={today} emails={emails} />
      {dueOn < today && (
        <p>
          <Status tone="warn" mark="alert">
            The due date has passed, so every target will be overdue right away.
          </Status>
        </p>
      )}
      {!isReady && <Unanswerable targets={unanswerable} total={assessment.targets} />}
      <div className="fc-row fc-wrap">
        {!isReady && (
          <Button onClick={fix}>Fix {count(unanswerable.length, 'target', 'targets')} to open</Button>
        )}
        <Action
          for={assessments.open}
          lock={ownLock(assessment)}
          variant={isReady ? 'filled' : 'default'}
          loading={open.isPending}
          leftSection={<IconSend size={16} aria-hidden="true" />}
          onClick={() => void start()}
        >
          {isReady ? 'Open assessment' : 'Open anyway'}
        </Action>
      </div>
    </section>
  )
}

type FactsProps = { assessment: Assessment; today: string; emails: string }

function Facts({ assessment, today, emails }: FactsProps) {
  const { questionnaireName, questionnaireNumber, opensOn, dueOn, review, targets } = assessment
  const from = opensOn > today ? `From ${showDay(opensOn)}` : 'From now'
  return (
    <dl className="fc-opening-facts">
      <Fact label="Questionnaire" text={`${questionnaireName}, version ${questionnaireNumber}`} />
      <Fact label="Period" text={showPeriod(assessment)} />
      <Fact label="Answers" text={`${from} until ${showDay(dueOn)}`} />
      <Fact label="Review" text={labelOf(REVIEWS, review)} />
      <Fact label="Targets" text={count(targets, 'target', 'targets')} />
      <Fact label="Emails" text={emails} />
    </dl>
  )
}

function Unanswerable({ targets, total }: { targets: readonly UnanswerableTarget[]; total: number }) {
  return (
    <>
      <h2>
        No one can answer {targets.length.toLocaleString()} of {count(total, 'target', 'targets')}
      </h2>
      <ul className="fc-lines">
        {targets.map(({ targetId, name, organizationName, reason }) => (
          <li key={targetId}>
            <span className="fc-grow">
              <bdi>{name}</bdi>
              <span className="fc-second">
                <bdi>{organizationName}</bdi>
              </span>
            </span>
            <Status tone="warn" mark="alert">
              <bdi>{reason}</bdi>
            </Status>
          </li>
        ))}
      </ul>
    </>
  )
}

function Fact({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{text}</bdi>
      </dd>
    </div>
  )
}
