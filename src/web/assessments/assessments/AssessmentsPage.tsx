import { IconClipboardCheck, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import {
  type Assessment,
  ASSESSMENT_LIST,
  assessments,
} from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { QuestionnairesLink } from './QuestionnairesLink.tsx'
import { AssessmentBlock, CELLS, WIDTHS } from './assessment-columns.tsx'
import './assessments.css'

const route = getRouteApi('/shell/assessments')

/** The assessments that the user’s organizations run or answer. One opens on its own page. */
export function AssessmentsPage() {
  const search = route.useSearch()
  const { onShow } = useListRoute()
  return (
    <ListPage
      list={ASSESSMENT_LIST}
      endpoint={assessments.list}
      search={search}
      onShow={onShow}
      cells={CELLS}
      widths={WIDTHS}
      block={showBlock}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      searches="Name, questionnaire"
      actions={<AddAssessment />}
      empty={<NoAssessments />}
    />
  )
}

function AddAssessment() {
  const navigate = useNavigate()
  return (
    <Action
      for={assessments.add}
      onClick={() => void navigate({ to: '/assessments/new' })}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      New assessment
    </Action>
  )
}

/** An assessment needs a published questionnaire, so without one, that comes first. */
function NoAssessments() {
  const holds = useHolds()
  const mayAdd = holds(assessments.add.allow) === true
  const { data } = useQuery({ ...query(assessmentSetup.questionnaires, {}), enabled: mayAdd })
  const isWithout = data?.length === 0
  return (
    <EmptyState
      tone="brand"
      icon={<IconClipboardCheck size={18} />}
      title="No assessments yet"
      text={
        isWithout
          ? 'An assessment sends a questionnaire to organizations and facilities. Publish a questionnaire first.'
          : 'An assessment sends a questionnaire to organizations and facilities, with a due date and a review.'
      }
    >
      {isWithout ? <QuestionnairesLink /> : <AddAssessment />}
    </EmptyState>
  )
}

function showBlock(assessment: Assessment) {
  return <AssessmentBlock assessment={assessment} />
}
