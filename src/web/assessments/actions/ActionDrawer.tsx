import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Action as Stored,
  ACTION_STATUSES,
  assessmentActions,
} from '#contract/assessments/actions/actions.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { type ActionInput, type ActionValues, readValues, valuesOf } from './action-form.ts'

const addAction = send(assessmentActions.add)
const updateAction = send(assessmentActions.update)
const removeAction = send(assessmentActions.remove)

/** An action that is about to be added to a target, because of a gap. */
export type NewAction = {
  targetId: string
  targetName: string
  organizationId: string
  questionCode: string | null
  title: string
}

type Props = { action: NewAction | Stored; onClose: () => void }

const isStored = (action: NewAction | Stored): action is Stored => 'id' in action

/** One action: what is done about a gap, by whom and until when. */
export function ActionDrawer({ action, onClose }: Props) {
  const stored = isStored(action) ? action : null
  return (
    <FormDrawer
      title={stored === null ? 'New action' : stored.title}
      about={<bdi>{action.targetName}</bdi>}
      onClose={onClose}
    >
      <ActionForm key={stored?.version} action={action} stored={stored} onClose={onClose} />
    </FormDrawer>
  )
}

function ActionForm({ action, stored, onClose }: Props & { stored: Stored | null }) {
  const first = valuesOf(action.title, stored)
  const [values, setValues] = useState(first)
  const isChanged = stored === null || JSON.stringify(values) !== JSON.stringify(first)
  const { release } = useUnsavedGuard(isChanged && stored !== null)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const save = useMutation<Stored, CallFailure, ActionInput>({
    mutationFn: (input) =>
      stored === null
        ? addAction({ targetId: action.targetId, questionCode: action.questionCode, ...input })
        : updateAction({ id: stored.id, version: stored.version, ...input }),
    onSuccess: (saved) => {
      release()
      toast(stored === null ? 'Action added' : 'Action saved', saved.title)
      onClose()
    },
    onError: (failure) => {
      setWrong(failure.fields)
      if (Object.keys(failure.fields).length === 0) showError(failure, 'Not saved')
    },
  })
  const remove = useMutation({
    mutationFn: removeAction,
    onSuccess: () => {
      release()
      onClose()
    },
    onError: (failure: CallFailure) => showError(failure),
  })
  async function confirmRemoval() {
    const isSure = await ask({
      title: `Delete “${action.title}”?`,
      text: "This can't be undone. Set an action that is no longer planned to “Dropped” to keep it.",
      confirm: 'Delete action',
      isDestructive: true,
    })
    if (isSure && stored !== null) remove.mutate({ id: stored.id })
  }
  return (
    <form
      className="fc-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const read = readValues(values)
        if ('wrong' in read) setWrong(read.wrong)
        else save.mutate(read.input)
      }}
    >
      <ActionFields
        values={values}
        wrong={wrong}
        organization={action.organizationId}
        stored={stored}
        onChange={(change) => setValues({ ...values, ...change })}
      />
      <div className="fc-form-footer">
        {stored !== null && (
          <Action
            for={assessmentActions.remove}
            className="fc-quiet-danger"
            variant="subtle"
            loading={remove.isPending}
            onClick={() => void confirmRemoval()}
          >
            Delete
          </Action>
        )}
        <span className="fc-grow" />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Action
          for={stored === null ? assessmentActions.add : assessmentActions.update}
          type="submit"
          lock={isChanged ? null : 'There are no unsaved changes.'}
          loading={save.isPending}
        >
          {stored === null ? 'Add action' : 'Save'}
        </Action>
      </div>
    </form>
  )
}

type FieldsProps = {
  values: ActionValues
  wrong: Readonly<Record<string, string>>
  organization: string
  stored: Stored | null
  onChange: (change: Partial<ActionValues>) => void
}

function ActionFields({ values, wrong, organization, stored, onChange: set }: FieldsProps) {
  return (
    <div className="fc-form-fields">
      <TextInput
        label="Action"
        required
        className="fc-wide"
        maxLength={200}
        data-autofocus
        value={values.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
        error={wrong['title']}
      />
      <OwnerSelect
        organization={organization}
        value={values.ownerId}
        name={stored?.ownerName ?? null}
        onChange={(ownerId) => set({ ownerId })}
        error={wrong['ownerId']}
      />
      <TextInput
        type="date"
        label="Due"
        value={values.dueOn}
        onChange={(event) => set({ dueOn: event.currentTarget.value })}
        error={wrong['dueOn']}
      />
      <Select
        label="Status"
        data={ACTION_STATUSES.map(({ value, label }) => ({ value, label }))}
        allowDeselect={false}
        value={values.status}
        onChange={(status) =>
          set({ status: ACTION_STATUSES.find(({ value }) => value === status)?.value ?? 'open' })
        }
      />
      <TextInput
        label={stored === null ? 'Cost' : `Cost (${stored.currency})`}
        inputMode="decimal"
        value={values.cost}
        onChange={(event) => set({ cost: event.currentTarget.value })}
        error={wrong['costCents']}
      />
      <TextInput
        label="Expected savings a year (t CO2e)"
        inputMode="decimal"
        value={values.tonnes}
        onChange={(event) => set({ tonnes: event.currentTarget.value })}
        error={wrong['expectedTonnes']}
      />
      <Textarea
        label="Note"
        className="fc-wide"
        autosize
        minRows={2}
        maxLength={1000}
        value={values.note}
        onChange={(event) => set({ note: event.currentTarget.value })}
        error={wrong['note']}
      />
    </div>
  )
}

type OwnerProps = {
  /** Of the target. */
  organization: string
  value: string | null
  /** Of the current owner, who may not be among those found. */
  name: string | null
  onChange: (id: string | null) => void
  error: string | undefined
}

/** A user of the organization. Someone who was chosen before can stay. */
function OwnerSelect({ organization, value, name, onChange, error }: OwnerProps) {
  const { data } = useQuery(query(assessmentSetup.users, { organization }))
  const choices = data?.map((user) => ({ value: user.id, label: user.name })) ?? []
  const isOther = value !== null && name !== null && choices.every((one) => one.value !== value)
  return (
    <Select
      label="Owner"
      placeholder="Choose"
      data={isOther ? [{ value, label: name }, ...choices] : choices}
      value={value}
      onChange={onChange}
      searchable
      clearable
      nothingFoundMessage="No one found"
      error={error}
    />
  )
}
