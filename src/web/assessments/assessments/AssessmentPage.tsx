import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, Suspense, useMemo } from 'react'
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
import { tabsWith } from './assessment-tabs.tsx'
import { InviteFormContext, type InviteFormProps } from './people/invite-form.ts'
import { SetUpWizard } from './wizard/SetUpWizard.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import '#web/ui/record/record-page.css'
import './assessments.css'

const route = getRouteApi('/shell/assessments/$id')

type Props = {
  /** The tab with the people without an account. */
  People: ComponentType<{ assessment: Assessment }>
  /** The form that invites them. */
  showInviteForm: (props: InviteFormProps) => ReactNode
}

/** One assessment: a draft as the steps to open it, otherwise its board and the other tabs. */
export function AssessmentPage({ People, showInviteForm }: Props) {
  const { id } = route.useParams()
  return (
    <InviteFormContext value={showInviteForm}>
      <OpenAssessment key={id} id={id} People={People} />
    </InviteFormContext>
  )
}

function OpenAssessment({ id, People }: { id: string } & Pick<Props, 'People'>) {
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
      <Tabs assessment={data} People={People} />
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

function Tabs({ assessment, People }: { assessment: Assessment } & Pick<Props, 'People'>) {
  const { tab } = route.useSearch()
  const tabs = useMemo(() => tabsWith(People), [People])
  const shown = tabs.find(({ id }) => id === tab) ?? tabs[0]
  return (
    <>
      <nav className="fc-tabs" aria-label="Parts of this assessment">
        {tabs.map(({ id, title }) => (
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
