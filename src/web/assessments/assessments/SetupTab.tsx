import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { AssessmentDetails } from './wizard/SetUpWizard.tsx'
import { TargetPicker } from './wizard/TargetPicker.tsx'

/** The details and targets of an open or closed assessment. */
export function SetupTab({ assessment }: { assessment: Assessment }) {
  return (
    <div className="fc-setup-tab">
      <AssessmentDetails assessment={assessment} />
      <h2>Targets</h2>
      <TargetPicker key={assessment.id} assessment={assessment} />
    </div>
  )
}
