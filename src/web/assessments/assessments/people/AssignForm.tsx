import { Select } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { assessmentSetup, type UserChoice } from '#contract/assessments/assessments/setup.ts'
import { PERSON_ROLES, type PersonRole } from '#contract/assessments/targets/target-states.ts'
import { assessmentTargets, type BulkResult, type Target } from '#contract/assessments/targets/targets.ts'
import { query, send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { count } from '#web/ui/layout/date-format.ts'

const reassign = send(assessmentTargets.reassign)
const addPerson = send(assessmentSetup.addPerson)

type Props = { targets: readonly Target[]; onAnswer: (result: BulkResult | null) => void }

const NOBODY: { userId: string; role: PersonRole } = { userId: '', role: 'owner' }

/** Gives several targets a person with a role. A new owner takes the place of the former one. */
export function AssignForm({ targets, onAnswer }: Props) {
  const { users, isPending } = useSharedUsers(targets)
  const ids = targets.map(({ id }) => id)
  const call = useCallForm({
    endpoint: assessmentTargets.reassign,
    about: ids.join(),
    initial: NOBODY,
    check: ({ userId }) => (userId === '' ? { userId: 'Choose a person.' } : {}),
    send: ({ userId, role }): Promise<BulkResult> =>
      role === 'owner' ? reassign({ ids, userId }) : addPerson({ ids, userId, role }),
    onDone: onAnswer,
  })
  const { userId, role } = call.values
  const chosen = users.find(({ id }) => id === userId)
  const names = count(targets.length, 'target', 'targets')
  return (
    <CallForm
      call={call}
      confirm={role === 'owner' ? `Reassign ${names}` : `Add to ${names}`}
      onCancel={() => onAnswer(null)}
    >
      <Select
        label="Role"
        data={PERSON_ROLES.map(({ value, label }) => ({ value, label }))}
        value={role}
        allowDeselect={false}
        description={<bdi>{ROLE_HELP[role]}</bdi>}
        onChange={(value) =>
          call.change({ role: PERSON_ROLES.find((one) => one.value === value)?.value ?? 'owner' })
        }
      />
      <Select
        label="Person"
        required
        searchable
        data-autofocus
        placeholder={isPending ? 'Loading users' : 'Name'}
        nothingFoundMessage="No user of all selected organizations"
        data={users.map(({ id, name }) => ({ value: id, label: name }))}
        value={userId || null}
        error={call.errors['userId']}
        description={chosen && <bdi>{problemOf(chosen, role)}</bdi>}
        onChange={(id) => call.change({ userId: id ?? '' })}
      />
    </CallForm>
  )
}

const ROLE_HELP = {
  owner: 'Answers and submits. Replaces the current owner.',
  contributor: "Answers, but doesn't submit.",
  reader: 'Sees the answers.',
  reviewer: 'Approves answers or requests changes.',
} as const

function problemOf({ name, problem, canReview }: UserChoice, role: PersonRole): string | null {
  if (role === 'reviewer') return canReview ? null : `${name} has no permission to review.`
  return role === 'reader' ? null : problem
}

/** The users who are members of the organizations of all targets. */
function useSharedUsers(targets: readonly Target[]): { users: UserChoice[]; isPending: boolean } {
  const organizations = [...new Set(targets.map(({ organizationId }) => organizationId))]
  const answers = useQueries({
    queries: organizations.map((organization) => query(assessmentSetup.users, { organization })),
  })
  const [first = [], ...others] = answers.map(({ data }) => data ?? [])
  const users = first.filter(({ id }) => others.every((members) => members.some((one) => one.id === id)))
  return { users, isPending: answers.some((one) => one.isPending) }
}
