import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type Assessment, assessments } from '#contract/assessments/assessments/assessments.ts'
import { REVIEWS } from '#contract/assessments/targets/target-states.ts'
import { labelOf } from '#contract/record.ts'
import { query } from '#web/api/query.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { AssessmentMenu } from './AssessmentMenu.tsx'
import { AssessmentStatus } from './AssessmentStatus.tsx'
import { AssessmentTitle } from './AssessmentTitle.tsx'
import { showPeriod } from './assessment-labels.ts'
import { TABS } from './assessment-tabs.tsx'
import { SetUpWizard } from './wizard/SetUpWizard.tsx'
import '#web/ui/record/record-page.css'
import './assessments.css'

const route = getRouteApi('/shell/assessments/$id')

/** One assessment: a draft as the steps to open it, otherwise its board and the other tabs. */
export function AssessmentPage() {
  const { id } = route.useParams()
  return <OpenAssessment key={id} id={id} />
}

function OpenAssessment({ id }: { id: string }) {
  const { step } = route.useSearch()
  const load = useLoad(query(assessments.get, { id }))
  const { data } = load
  if (data === undefined) {
    return (
      <div className="fc-list">
        <AssessmentTitle title="Assessment" about="" />
        <Loaded query={load} what="this assessment" shape="spinner">
          {() => null}
        </Loaded>
      </div>
    )
  }
  if (data.status === 'draft') {
    return (
      <div className="fc-wizard">
        <Header assessment={data} />
        <SetUpWizard assessment={data} step={step} />
      </div>
    )
  }
  return (
    <div className="fc-list">
      <Header assessment={data} />
      <Tabs assessment={data} />
    </div>
  )
}

function Header({ assessment }: { assessment: Assessment }) {
  const navigate = useNavigate()
  return (
    <AssessmentTitle
      title={assessment.name}
      crumb={showPeriod(assessment)}
      about={describe(assessment)}
      status={<AssessmentStatus assessment={assessment} isPill />}
    >
      <AssessmentMenu
        assessment={assessment}
        isOnPage
        onRemoved={() => void navigate({ to: '/assessments', ignoreBlocker: true })}
      />
    </AssessmentTitle>
  )
}

function describe(assessment: Assessment): string {
  const { questionnaireName, questionnaireNumber, targets, review, approved, status } = assessment
  const parts = [
    `${questionnaireName}, version ${questionnaireNumber}`,
    count(targets, 'target', 'targets'),
    labelOf(REVIEWS, review).toLowerCase(),
  ]
  const done = status === 'draft' || targets === 0 ? '' : ` ${approved.toLocaleString()} approved.`
  return `${parts.join(', ')}.${done}`
}

function Tabs({ assessment }: { assessment: Assessment }) {
  const { tab } = route.useSearch()
  const shown = TABS.find(({ id }) => id === tab) ?? TABS[0]
  return (
    <>
      <nav className="fc-tabs" aria-label="Parts of this assessment">
        {TABS.map(({ id, title }) => (
          <Link
            key={id}
            to="/assessments/$id"
            params={{ id: assessment.id }}
            search={id === 'board' ? {} : { tab: id }}
            activeOptions={{ exact: true, includeSearch: true }}
            {...(id === shown?.id && { 'aria-current': 'page' as const })}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Spinner label={`Loading ${shown?.title.toLowerCase() ?? ''}`} />}>
        {shown && <shown.Tab assessment={assessment} />}
      </Suspense>
    </>
  )
}
