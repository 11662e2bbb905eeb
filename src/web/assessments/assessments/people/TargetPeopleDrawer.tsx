import { ActionIcon, Button, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { PERSON_ROLES, type PersonRole } from '#contract/assessments/targets/target-states.ts'
import { assessmentTargets, type Target, TargetPerson } from '#contract/assessments/targets/targets.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { mayLeave, useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { useInviteForm } from './invite-form.ts'
import {
  addInvited,
  addRow,
  describeChanges,
  isChanged,
  type PersonRow,
  setRole,
  toPeople,
  toRows,
} from './people-rows.ts'

const savePeople = send(assessmentTargets.setPeople)

type Props = { target: Target; assessment: Assessment; lock: string | null; onClose: () => void }

/** The people of one target with their roles: users of the account, and people who are invited by email. */
export function TargetPeopleDrawer({ target, assessment, lock, onClose }: Props) {
  const showInviteForm = useInviteForm()
  const [saved, setSaved] = useState(target.people)
  const [rows, setRows] = useState(() => toRows(target.people))
  /** What someone else changed while these people were edited. */
  const [changes, setChanges] = useState<readonly string[]>([])
  const isDirty = isChanged(rows, saved)
  const { release } = useUnsavedGuard(isDirty)
  const save = useMutation({
    mutationFn: savePeople,
    onSuccess: () => {
      release()
      toast('People saved', target.name)
      onClose()
    },
    onError: (failure) => {
      const current = z.array(TargetPerson).safeParse(failure.current)
      if (failure.status !== 409 || !current.success) {
        showError(failure)
        return
      }
      setChanges(describeChanges(saved, current.data))
      setSaved(current.data)
    },
  })
  const leave = async () => {
    if (await mayLeave()) {
      release()
      onClose()
    }
  }
  return (
    <FormDrawer
      title={`People of ${target.name}`}
      about={<bdi>{target.organizationName}</bdi>}
      size={560}
      onClose={() => void leave()}
    >
      <div className="fc-form">
        <div className="fc-person-rows">
          <PersonRows rows={rows} target={target} lock={lock} onChange={setRows} />
          {lock === null && <PersonPicker rows={rows} target={target} onChange={setRows} />}
          {lock === null &&
            showInviteForm({
              targetIds: [target.id],
              isOpen: assessment.status === 'open',
              hasOwner: rows.some(({ role }) => role === 'owner'),
              onInvited: (invited) => {
                setRows((before) => invited.reduce(addInvited, before))
                setSaved((before) => invited.reduce((people, one) => toSaved(people, one), before))
              },
            })}
        </div>
        {changes.length > 0 && (
          <StalePeople
            changes={changes}
            onTheirs={() => {
              setRows(toRows(saved))
              setChanges([])
            }}
          />
        )}
        <div className="fc-form-footer">
          <span className="fc-grow" />
          <Button variant="default" onClick={() => void leave()}>
            Cancel
          </Button>
          <Action
            for={assessmentTargets.setPeople}
            lock={lock ?? (isDirty ? null : 'There are no unsaved changes.')}
            saves
            loading={save.isPending}
            onClick={() =>
              save.mutate({ id: target.id, people: toPeople(rows), known: toPeople(toRows(saved)) })
            }
          >
            Save people
          </Action>
        </div>
      </div>
    </FormDrawer>
  )
}

type StaleProps = { changes: readonly string[]; onTheirs: () => void }

/** What someone else changed in the meantime. Saving again replaces it. */
function StalePeople({ changes, onTheirs }: StaleProps) {
  return (
    <div className="fc-person-stale" role="alert">
      <Status tone="warn" mark="alert">
        <strong>Someone else changed these people</strong>
      </Status>
      <p>
        <bdi>{changes.join(' ')}</bdi> Save to use your list instead.
      </p>
      <div>
        <Button variant="default" size="compact-sm" onClick={onTheirs}>
          Use the current list
        </Button>
      </div>
    </div>
  )
}

type People = Target['people']

/** The people as the server has them after an invitation was added. */
const toSaved = (people: People, invited: Parameters<typeof addInvited>[1]): People =>
  addInvited(toRows(people), invited).map((row) => ({ ...row, id: row.key }))

type RowsProps = {
  rows: readonly PersonRow[]
  target: Target
  lock: string | null
  onChange: (rows: PersonRow[]) => void
}

function PersonRows({ rows, target, lock, onChange }: RowsProps) {
  // Someone who can't change people doesn't need to know who else could be chosen.
  const { data: users } = useQuery({
    ...query(assessmentSetup.users, { organization: target.organizationId }),
    enabled: lock === null,
  })
  if (rows.length === 0) return <p className="fc-small fc-soft">No one is assigned yet.</p>
  return (
    <ul className="fc-person-list" aria-label="People">
      {rows.map((row) => {
        const user = users?.find(({ id }) => id === row.userId)
        return (
          <li key={row.key}>
            <span className="fc-grow">
              <bdi>{row.name}</bdi>
              <span className="fc-second">
                <bdi>{row.isDelegate ? `${row.email}, answers only delegated questions` : row.email}</bdi>
              </span>
              <PersonProblem row={row} problem={user?.problem ?? null} canReview={user?.canReview ?? true} />
            </span>
            <Select
              aria-label={`Role of ${row.name}`}
              data={rolesFor(row)}
              value={row.role}
              allowDeselect={false}
              disabled={lock !== null}
              w={144}
              onChange={(value) => onChange(setRole(rows, row.key, readRole(value, row.role)))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${row.name}`}
              disabled={lock !== null}
              onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
            >
              <IconX size={16} />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}

type ProblemProps = { row: PersonRow; problem: string | null; canReview: boolean }

/** Why someone can’t do what their role asks of them. */
function PersonProblem({ row: { role, name }, problem, canReview }: ProblemProps) {
  const answers = role === 'owner' || role === 'contributor'
  const reviewProblem = role === 'reviewer' && !canReview ? `${name} has no permission to review.` : null
  const shown = answers ? problem : reviewProblem
  if (shown === null) return null
  return (
    <Status tone="warn" mark="alert">
      <bdi>{shown}</bdi>
    </Status>
  )
}

/** A person without an account can’t review. */
const rolesFor = ({ userId }: PersonRow) =>
  PERSON_ROLES.filter(({ value }) => value !== 'reviewer' || userId !== null).map(({ value, label }) => ({
    value,
    label,
  }))

const readRole = (value: string | null, former: PersonRole): PersonRole =>
  PERSON_ROLES.find((one) => one.value === value)?.value ?? former

type PickerProps = { rows: readonly PersonRow[]; target: Target; onChange: (rows: PersonRow[]) => void }

/** Adds a user, or someone who was invited before. */
function PersonPicker({ rows, target: { organizationId: organization }, onChange }: PickerProps) {
  const mayInvite = useHolds()(assessmentParticipants.known.allow) === true
  const users = useQuery(query(assessmentSetup.users, { organization }))
  const known = useQuery({ ...query(assessmentParticipants.known, { organization }), enabled: mayInvite })
  const listed = new Set(rows.map(({ key }) => key))
  const choices = [
    ...(users.data ?? []).map(({ id, name, email }) => ({
      key: `user/${id}`,
      person: { userId: id, participantId: null, name, email },
    })),
    ...(known.data ?? []).map(({ id, name, email }) => ({
      key: `participant/${id}`,
      person: { userId: null, participantId: id, name, email },
    })),
  ].filter(({ key }) => !listed.has(key))
  const group = (title: string, prefix: string) => {
    const items = choices
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, person }) => ({ value: key, label: `${person.name}, ${person.email}` }))
    return items.length === 0 ? [] : [{ group: title, items }]
  }
  return (
    <Select
      label="Add a person"
      placeholder="Name or email"
      searchable
      value={null}
      nothingFoundMessage="No matches"
      data={[...group('Users', 'user/'), ...group('Invited before, without an account', 'participant/')]}
      onChange={(value) => {
        const chosen = choices.find(({ key }) => key === value)
        if (chosen !== undefined) onChange(addRow(rows, chosen.person))
      }}
    />
  )
}
