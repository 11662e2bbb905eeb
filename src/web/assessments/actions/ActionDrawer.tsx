import { Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  type Action as Stored,
  ACTION_STATUSES,
  assessmentActions,
} from '#contract/assessments/actions/actions.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { labelOf } from '#contract/record.ts'
import { query, send } from '#web/api/query.ts'
import { closeAfterAsking } from '#web/ui/form/unsaved.ts'
import { RecordDrawer } from '#web/ui/record/RecordDrawer.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { actionForm, type ActionValues } from './action-form.ts'

const addAction = send(assessmentActions.add)
const updateAction = send(assessmentActions.update)

/** An action that is about to be added to a target, because of a gap. */
export type NewAction = {
  targetId: string
  targetName: string
  organizationId: string
  questionCode: string | null
  title: string
}

type Props = { action: NewAction | Stored; onClose: () => void }

/** One action: what is done about a gap, by whom and until when. */
export function ActionDrawer({ action, onClose }: Props) {
  const { targetId, questionCode, title, targetName, organizationId } = action
  const { data: users = [] } = useQuery(query(assessmentSetup.users, { organization: organizationId }))
  const choices = users.map(({ id, name }) => ({ value: id, label: name }))
  const target = <bdi>{targetName}</bdi>
  return (
    <RecordDrawer
      id={'id' in action ? action.id : 'new'}
      noun="action"
      about={target}
      describe={() => target}
      form={{
        ...actionForm,
        blank: { ...actionForm.blank, targetId, questionCode: questionCode ?? '', title },
      }}
      endpoints={assessmentActions}
      save={({ targetId: of, questionCode: code, ...input }, change) =>
        change
          ? updateAction({ ...input, ...change })
          : addAction({ ...input, targetId: of, questionCode: code })
      }
      remove={{
        endpoint: assessmentActions.remove,
        title: (stored) => `Delete “${stored.title}”?`,
        text: "This can't be undone. Set an action that is no longer planned to “Dropped” to keep it.",
      }}
      nameOf={(stored) => ({ name: stored.title })}
      show={(name, values, versions) => showField(name, values, choices, versions)}
      onClose={closeAfterAsking(onClose)}
      closes={onClose}
    >
      {(record, stored) => <ActionFields record={record} stored={stored} users={choices} />}
    </RecordDrawer>
  )
}

type Choice = { value: string; label: string }

/** A field's display text, for the comparison of two versions. */
function showField(
  name: string,
  values: ActionValues,
  users: readonly Choice[],
  versions: readonly Stored[],
): string {
  if (name === 'status') return labelOf(ACTION_STATUSES, values.status)
  if (name !== 'ownerId' || values.ownerId === '') return showValue({ ...values }[name])
  const known = versions.find(({ ownerId }) => ownerId === values.ownerId)
  return known?.ownerName ?? labelOf(users, values.ownerId)
}

type FieldsProps = {
  record: RecordFormState<ActionValues, Stored>
  /** Null for a new one. */
  stored: Stored | null
  users: readonly Choice[]
}

function ActionFields({ record: { field, form, change }, stored, users }: FieldsProps) {
  return (
    <div className="fc-form-fields">
      <TextInput {...field('title')} required className="fc-wide" maxLength={200} data-autofocus />
      <Select
        {...field('ownerId')}
        value={form.values.ownerId || null}
        onChange={(ownerId) => change({ ownerId: ownerId ?? '' })}
        placeholder="Choose"
        data={withOwner(users, stored)}
        searchable
        clearable
        nothingFoundMessage="No one found"
      />
      <TextInput {...field('dueOn')} type="date" />
      <Select {...field('status')} data={ACTION_STATUSES} allowDeselect={false} />
      <TextInput
        {...field('costCents')}
        label={stored === null ? 'Cost' : `Cost (${stored.currency})`}
        inputMode="decimal"
      />
      <TextInput {...field('expectedTonnes')} label="Expected savings a year (t CO2e)" inputMode="decimal" />
      <Textarea {...field('note')} className="fc-wide" autosize minRows={2} maxLength={1000} />
    </div>
  )
}

/** The users of the organization, and the owner, who may not be one of them any longer but can stay. */
function withOwner(users: readonly Choice[], stored: Stored | null): Choice[] {
  const { ownerId = null, ownerName = null } = stored ?? {}
  const isOther = ownerId !== null && ownerName !== null && users.every(({ value }) => value !== ownerId)
  return isOther ? [{ value: ownerId, label: ownerName }, ...users] : [...users]
}
