import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type User, users } from '#contract/identity/users/users.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { query, send } from '#web/api/query.ts'
import { findDifferences } from '#web/ui/record/differences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { setUserInCache } from './set-user-in-cache.ts'
import { nameDroppedOverrides, userForm, type UserValues } from './user-form.ts'
import { nameOfUser } from './user-labels.ts'
import { UserFields } from './UserFields.tsx'

type Props = {
  /** Null for a new one. */
  user: User | null
  /** Called when a user was saved or reloaded, which resets the form. */
  onKept: (current: User) => void
  onCreated: (id: string) => void
  onCancel: () => void
}

const addUser = send(users.add)
const updateUser = send(users.update)

/** The profile form of a user. */
export function UserForm({ user: loaded, onKept, onCreated, onCancel }: Props) {
  const [isAgain, setAgain] = useState(false)
  const user = isAgain ? null : loaded
  const endpoint = user ? users.update : users.add
  const record = useRecordForm<UserValues, User>({
    ...userForm,
    record: user,
    endpoint,
    isLocked: user !== null && user.lock !== null,
    save: (values, version) =>
      user
        ? updateUser({ user: { ...pickChanges(values, user, version), id: user.id, version } })
        : addUser({ user: userForm.toInput(values), sendsPasswordMail: values.sendsPasswordMail }),
    keep: (current) => {
      setUserInCache(current)
      onKept(current)
    },
    onSaved: (saved) => {
      const about = nameDroppedOverrides(user, saved) ?? describeSaved(saved, { isNew: user === null })
      toast(user ? 'User saved' : 'User added', about)
      if (!user) onCreated(saved.id)
    },
  })
  const types = useQuery(query(userTypes.forParent, {}))
  const organizationChoices = useQuery(query(organizations.listAll, {}))
  const names = new Map(
    [
      ...(record.stale?.current.organizations ?? []),
      ...(user?.organizations ?? []),
      ...(types.data ?? []),
      ...(organizationChoices.data ?? []),
    ].map(({ id, name }) => [id, name]),
  )
  function show(name: string, values: UserValues): string {
    if (name === 'userTypeId') return nameType(values.userTypeId)
    if (name === 'organizationIds') return showValue(values.organizationIds.map((id) => names.get(id) ?? id))
    return showValue(Object.entries(values).find(([key]) => key === name)?.[1])
  }
  function nameType(id: string): string {
    const known = [record.stale?.current, user].find((one) => one?.userTypeId === id)
    return types.data?.find((choice) => choice.id === id)?.name ?? known?.userTypeName ?? id
  }

  return (
    <RecordForm record={record}>
      <UserFields record={record} user={user} />
      {(user === null || user.lock === null) && (
        <FormFooter
          record={record}
          for={endpoint}
          save={user ? 'Save user' : 'Add user'}
          onCancel={onCancel}
        />
      )}
      <StaleDialog
        record={record}
        thing={user ? nameOfUser(user) : 'this user'}
        show={show}
        again={{ endpoint: users.add, start: () => setAgain(true) }}
      />
    </RecordForm>
  )
}

/** Only the changed fields, or all fields when overwriting someone else's save. */
function pickChanges(values: UserValues, user: User, version: number | undefined) {
  const input = userForm.toInput(values)
  if (version !== user.version) return input
  const changed = findDifferences(userForm.labels, values, userForm.toValues(user))
  return Object.fromEntries(Object.entries(input).filter(([name]) => changed.includes(name)))
}

function describeSaved(saved: User, { isNew }: { isNew: boolean }): string {
  const name = nameOfUser(saved)
  return isNew && saved.passwordMailAt !== null ? `${name}: email sent to ${saved.email}` : name
}
