import { Button, Select } from '@mantine/core'
import { useMutation, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { assessmentSetup, type UserChoice } from '#contract/assessments/assessments/setup.ts'
import { PERSON_ROLES, type PersonRole } from '#contract/assessments/targets/target-states.ts'
import { assessmentTargets, type BulkResult, type Target } from '#contract/assessments/targets/targets.ts'
import { query, send } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'

const reassign = send(assessmentTargets.reassign)
const addPerson = send(assessmentSetup.addPerson)

type Props = { targets: readonly Target[]; onAnswer: (result: BulkResult | null) => void }

/** Gives several targets a person with a role. A new owner takes the place of the former one. */
export function AssignForm({ targets, onAnswer }: Props) {
  const [userId, setUserId] = useState<string | null>(null)
  const [role, setRole] = useState<PersonRole>('owner')
  const [isTried, setIsTried] = useState(false)
  const { users, isPending } = useSharedUsers(targets)
  const ids = targets.map(({ id }) => id)
  const assign = useMutation({
    mutationFn: (user: string): Promise<BulkResult> =>
      role === 'owner' ? reassign({ ids, userId: user }) : addPerson({ ids, userId: user, role }),
    onSuccess: onAnswer,
  })
  const chosen = users.find(({ id }) => id === userId)
  const names = count(targets.length, 'target', 'targets')
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (userId !== null && !assign.isPending) assign.mutate(userId)
      }}
    >
      {assign.error && (
        <p role="alert" className="fc-form-alert">
          <bdi>{assign.error.message}</bdi>
        </p>
      )}
      <Select
        label="Role"
        data={PERSON_ROLES.map(({ value, label }) => ({ value, label }))}
        value={role}
        allowDeselect={false}
        description={<bdi>{ROLE_HELP[role]}</bdi>}
        onChange={(value) => setRole(PERSON_ROLES.find((one) => one.value === value)?.value ?? 'owner')}
      />
      <Select
        label="Person"
        required
        searchable
        data-autofocus
        placeholder={isPending ? 'Loading users' : 'Name'}
        nothingFoundMessage="No user of all selected organizations"
        data={users.map(({ id, name }) => ({ value: id, label: name }))}
        value={userId}
        error={isTried && userId === null ? 'Choose a person.' : null}
        description={chosen && <bdi>{problemOf(chosen, role)}</bdi>}
        onChange={setUserId}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={assign.isPending}>
          {role === 'owner' ? `Reassign ${names}` : `Add to ${names}`}
        </Button>
      </div>
    </form>
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
