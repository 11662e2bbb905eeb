import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type Questionnaire, questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { HistoryButtons } from '#web/ui/history/HistoryButtons.tsx'
import type { Builder, Problem } from '#web/questions/builder/use-builder.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { describeUnread, useUnread } from '#web/ui/form/unread-numbers.ts'
import { useConflictTitle } from '#web/ui/form/conflict-title.ts'
import { editLock, openDraft } from '../questionnaires/questionnaire-actions.ts'
import { QuestionnaireMenu } from '../questionnaires/QuestionnaireMenu.tsx'
import { QuestionnaireStatus } from '../questionnaires/QuestionnaireStatus.tsx'
import type { DraftSaver, DraftView } from './draft-saver.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  view: DraftView
  saver: DraftSaver
  builder: Builder
  onPublish: () => void
  onProblem: (problem: Problem) => void
  onChanged: (questionnaire: Questionnaire) => void
}

/** Name, status, whether everything is saved, and the actions. */
export function QuestionnaireHeader({ view, saver, builder, onPublish, onProblem, onChanged }: Props) {
  const { stored } = view
  const navigate = useNavigate()
  const { hasDraft, publishedNumber, name } = stored
  const next = (publishedNumber ?? 0) + 1
  const errors = builder.problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/configure-questionnaire">Questionnaires</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            {hasDraft ? `Draft of version ${next}` : `Version ${publishedNumber ?? ''}`}
          </span>
        </nav>
        <div className="fc-title-row">
          <RecordHeading name={name} />
          <QuestionnaireStatus status={stored.status} isPill />
          <SaveStatus view={view} saver={saver} />
        </div>
        <p>
          <bdi>{describe(stored, builder)}</bdi>
        </p>
      </div>
      <div className="fc-row fc-builder-actions">
        {hasDraft && <HistoryButtons undo={builder.undo} redo={builder.redo} />}
        <QuestionnaireMenu
          questionnaire={stored}
          isOnPage
          onChanged={onChanged}
          beforeChange={() => saver.flush()}
          onRemoved={() => {
            saver.replace(stored)
            void navigate({ to: '/configure-questionnaire', ignoreBlocker: true })
          }}
        />
        {!hasDraft && (
          <Action
            for={questionnaires.openDraft}
            lock={editLock(stored)}
            onClick={() => void openDraft(stored).then((opened) => opened && onChanged(opened))}
          >
            New draft
          </Action>
        )}
        {hasDraft && first === undefined && (
          <Action for={questionnaires.publish} lock={editLock(stored)} onClick={onPublish}>
            Publish version {next}
          </Action>
        )}
        {hasDraft && first !== undefined && (
          <Button onClick={() => onProblem(first)}>
            Fix {count(errors.length, 'problem', 'problems')} to publish
          </Button>
        )}
      </div>
    </header>
  )
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** Whether everything is saved. A failure says why and can be retried. */
function SaveStatus({ view: { state, message, stored, theirs }, saver }: Pick<Props, 'view' | 'saver'>) {
  const unread = useUnread()
  if (!stored.hasDraft || !stored.mayEdit) return null
  if (state === 'saved' && unread.length > 0) {
    return (
      <span className="fc-save-failure" role="alert">
        <Status tone="bad" mark="wait" isPill>
          Not saved
        </Status>
        <span className="fc-small">
          <bdi>{`No number: ${unread.map(describeUnread).join(', ')}`}</bdi>
        </span>
      </span>
    )
  }
  if (state === 'saved') {
    return <span className="fc-small fc-faint">Saved {clock.format(new Date(stored.updatedAt))}</span>
  }
  if (state === 'waiting' || state === 'saving') return <span className="fc-small fc-faint">Saving…</span>
  return (
    <span className="fc-save-failure" role="alert">
      <Status tone="bad" mark="wait" isPill>
        Not saved
      </Status>
      <span className="fc-small">
        <bdi>{theirs === null ? message : <ConflictTitle theirs={theirs} />}</bdi>
      </span>
      {state === 'failed' && (
        <Button variant="default" size="compact-sm" onClick={() => void saver.flush()}>
          Save now
        </Button>
      )}
    </span>
  )
}

/** As the dialog says it. */
function ConflictTitle({ theirs }: { theirs: Questionnaire }) {
  return `${useConflictTitle('this questionnaire', theirs)}.`
}

function describe(
  { publishedNumber, hasDraft, assessmentCount, status, mayEdit }: Questionnaire,
  { content }: Builder,
): string {
  const { sections } = content.draft
  const questions = sections.reduce((sum, section) => sum + section.questions.length, 0)
  const parts = [
    `${count(questions, 'question', 'questions')} in ${count(sections.length, 'section', 'sections')}`,
  ]
  if (publishedNumber === null) parts.push('Not published yet')
  else if (status === 'retired') parts.push("Retired: new assessments can't use it")
  else if (hasDraft) parts.push(`New assessments use version ${publishedNumber} until you publish`)
  if (assessmentCount > 0) parts.push(`Used by ${count(assessmentCount, 'assessment', 'assessments')}`)
  if (!mayEdit) parts.push('For all organizations: duplicate it to make your own')
  return `${parts.join('. ')}.`
}
