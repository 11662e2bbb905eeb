import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { type View, views } from '#contract/lists/views.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import { query } from '#web/api/query.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { scopeNames } from './view-labels.ts'

export type ViewValues = { name: string; scope: View['scope']; userTypeId?: string }

type Props = {
  /** The ID of the saved view; null for a new one. */
  id: string | null
  /** Initial values. */
  values: ViewValues
  confirm: string
  save: (values: ViewValues) => Promise<View | null>
  /** Null if it is closed. */
  onAnswer: (saved: View | null) => void
}

/** Sharing with a user type other than one's own requires permission to administer user types. */
const ADMINISTERS_TYPES = can(Func.userTypes, Opr.administer)
/** Showing a view to others. */
const SHARES = can(Func.sharedViews, Opr.create)

/** The name of a view and who can see it. */
export function SaveViewForm({ id, values, confirm, save, onAnswer }: Props) {
  const { claims } = useSession()
  const holds = useHolds()
  const keepsTypes = holds(ADMINISTERS_TYPES) === true
  const mayShare = holds(SHARES) === true
  const call = useCallForm({
    endpoint: id === null ? views.add : views.update,
    about: id,
    initial: { name: values.name, scope: values.scope, userTypeId: values.userTypeId ?? '' },
    send: ({ name, scope, userTypeId }) =>
      save({ name: name.trim(), scope, ...(userTypeId !== '' && { userTypeId }) }),
    onDone: onAnswer,
  })
  const { scope, userTypeId } = call.values
  const isOfType = scope === 'userType'
  const types = useQuery({ ...query(userTypes.forParent, {}), enabled: isOfType && keepsTypes })
  const names = scopeNames({ organization: claims?.organizationName ?? '', userType: null })

  return (
    <CallForm call={call} confirm={confirm} onCancel={() => onAnswer(null)}>
      <TextInput
        {...call.field('name')}
        label="Name"
        required
        maxLength={60}
        data-autofocus
        autoComplete="off"
      />
      <Select
        label="Shared with"
        allowDeselect={false}
        data={names.map((one) => ({
          value: one.scope,
          label: one.name,
          disabled: one.scope !== 'private' && !mayShare,
        }))}
        {...(!mayShare && { description: `Sharing requires ${describe(SHARES)}.` })}
        value={scope}
        onChange={(value) => {
          const chosen = names.find((one) => one.scope === value)
          if (chosen) call.change({ scope: chosen.scope, userTypeId: '' })
        }}
      />
      {isOfType && keepsTypes && (
        <Select
          label="User type"
          placeholder="Your own"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear user type' }}
          data={types.data?.map((one) => ({ value: one.id, label: one.name })) ?? []}
          value={userTypeId || null}
          error={call.errors['userTypeId']}
          onChange={(chosen) => call.change({ userTypeId: chosen ?? '' })}
        />
      )}
    </CallForm>
  )
}
