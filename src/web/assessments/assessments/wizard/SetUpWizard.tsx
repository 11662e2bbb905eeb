import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Assessment, assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { query } from '#web/api/query.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { WizardSteps } from '#web/ui/wizard/WizardSteps.tsx'
import { TargetPeopleTable } from '../people/TargetPeopleTable.tsx'
import { type AssessmentStep, assessmentSteps, STEP_TITLES } from './assessment-steps.ts'
import { DetailsForm } from './DetailsForm.tsx'
import { OpenStep } from './OpenStep.tsx'
import { TargetPicker } from './TargetPicker.tsx'

type Props = { assessment: Assessment; step: AssessmentStep | undefined }

/** The steps of a draft. Without one in the URL, the first that is not complete. */
export function SetUpWizard({ assessment, step }: Props) {
  const { id, name, targets } = assessment
  const navigate = useNavigate()
  const check = useQuery({ ...query(assessments.check, { id }), enabled: targets > 0 })
  const shown = step ?? (targets === 0 ? 'targets' : 'people')
  const goTo = (next: AssessmentStep) =>
    void navigate({ to: '/assessments/$id', params: { id }, search: { step: next } })
  const isLocked = targets === 0 && (shown === 'people' || shown === 'open')
  return (
    <>
      <WizardSteps
        label={`Steps of ${name}`}
        steps={assessmentSteps(assessment, check.data ?? null)}
        current={STEP_TITLES[shown]}
      />
      {shown === 'details' && <AssessmentDetails assessment={assessment} />}
      {shown === 'targets' && (
        <TargetPicker key={id} assessment={assessment} onSaved={() => goTo('people')} />
      )}
      {shown === 'people' && !isLocked && <TargetPeopleTable assessment={assessment} />}
      {shown === 'open' && !isLocked && <OpenStep assessment={assessment} />}
      {isLocked && (
        <p className="fc-wizard-next">
          Choose at least one target first.{' '}
          <NextButton label="Choose targets" onClick={() => goTo('targets')} />
        </p>
      )}
      {!isLocked && shown === 'people' && (
        <p className="fc-wizard-next">
          <NextButton label="Continue to Open" onClick={() => goTo('open')} />
        </p>
      )}
    </>
  )
}

function NextButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      {label}
    </Button>
  )
}

/** The form of the details, with the questionnaires to choose from. */
export function AssessmentDetails({ assessment }: { assessment: Assessment }) {
  return (
    <Loaded query={query(assessmentSetup.questionnaires, {})} what="the questionnaires" shape="spinner">
      {(data) => (
        <LoadedRecord key={assessment.id} record={assessment}>
          {(kept, keep) => <DetailsForm assessment={kept} choices={data} onKept={keep} />}
        </LoadedRecord>
      )}
    </Loaded>
  )
}
