import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { MayCall } from '#web/ui/controls/MayCall.tsx'
import { query } from '#web/api/query.ts'
import { InvitationTable } from './InvitationTable.tsx'
import { TargetPeopleTable } from '#web/assessments/index.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'

/** Who answers and reviews, and the invitations of people without an account. */
export function PeopleTab({ assessment }: { assessment: Assessment }) {
  return (
    <div className="fc-people-tab">
      <h2>By target</h2>
      <TargetPeopleTable assessment={assessment} />
      <MayCall for={assessmentParticipants.list}>
        <h2>Invitations</h2>
        <Invitations assessment={assessment} />
      </MayCall>
    </div>
  )
}

function Invitations({ assessment }: { assessment: Assessment }) {
  return (
    <Loaded
      query={query(assessmentParticipants.list, { assessment: assessment.id })}
      what="the invitations"
      shape="spinner"
    >
      {(data) => {
        if (data.length === 0) {
          return (
            <p className="fc-people-none fc-small fc-soft">
              No one without an account was invited. To invite someone by email, edit the people of a target.
            </p>
          )
        }
        return <InvitationTable assessment={assessment} invitations={data} />
      }}
    </Loaded>
  )
}
