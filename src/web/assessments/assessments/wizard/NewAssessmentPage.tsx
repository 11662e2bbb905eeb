import { IconClipboardCheck } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { WizardSteps } from '#web/ui/wizard/WizardSteps.tsx'
import { QuestionnairesLink } from '../QuestionnairesLink.tsx'
import { AssessmentTitle } from '../AssessmentTitle.tsx'
import { assessmentSteps } from './assessment-steps.ts'
import { DetailsForm } from './DetailsForm.tsx'
import '../assessments.css'

const route = getRouteApi('/shell/assessments/new')

/** The first step of a new assessment. Saving it adds a draft, on whose page the wizard continues. */
export function NewAssessmentPage() {
  const { questionnaire } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div className="fc-wizard">
      <AssessmentTitle title="New assessment" about="The questionnaire, the period and the due date." />
      <WizardSteps
        label="Steps of the new assessment"
        steps={assessmentSteps(null, null)}
        current="Details"
      />
      <Loaded query={query(assessmentSetup.questionnaires, {})} what="the questionnaires" shape="spinner">
        {(data) => (
          <>
            {data.length === 0 && (
              <EmptyState
                icon={<IconClipboardCheck size={18} />}
                title="No published questionnaire"
                text="An assessment needs a published questionnaire. Publish one first."
              >
                <QuestionnairesLink />
              </EmptyState>
            )}
            {data.length > 0 && (
              <DetailsForm
                assessment={null}
                questionnaireId={questionnaire}
                choices={data}
                onCreated={({ id }) =>
                  void navigate({
                    to: '/assessments/$id',
                    params: { id },
                    search: { step: 'targets' },
                    replace: true,
                    ignoreBlocker: true,
                  })
                }
              />
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}
