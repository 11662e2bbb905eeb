import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import { UserType, type UserTypeChoice, userTypes } from '#contract/identity/user-types/user-types.ts'
import { query, queryClient, send } from '#web/api/query.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { type RecordFormState, useRecordForm } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { reloadTypeTree, setTypeInCache } from './set-type-in-cache.ts'
import {
  ADMINISTER,
  checkType,
  FACTOR_NAMES,
  FIELD_NAMES,
  findParents,
  REACH_CHOICES,
  REACH_NAMES,
  toInput,
  toValues,
  type TypeValues,
  whyFixedReach,
} from './type-form.ts'
import { TypeSelect } from './TypeSelect.tsx'

type Props = {
  /** Null for a new one. */
  type: UserType | null
  choices: readonly UserTypeChoice[]
  /** Initial values of the form for a new type. */
  blank: TypeValues
  onClose: (isSaved: boolean) => void
  /** `isTyping`: more was typed meanwhile, which the form of the saved one takes. */
  onCreated: (id: string, meanwhile: { isTyping: boolean }) => void
  /** Saved, or reloaded. */
  onKept?: (type: UserType) => void
}

const addType = send(userTypes.add)
const updateType = send(userTypes.update)

/** Name, parent type and access of a user type; for a new one, also which permissions to start with. */
export function TypeForm({ type: loaded, choices, blank, onClose, onCreated, onKept }: Props) {
  const [isAgain, setAgain] = useState(false)
  const type = isAgain ? null : loaded
  const holds = useHolds()
  const session = useSession()
  const endpoint = type ? userTypes.update : userTypes.add
  const mayAdminister = holds(ADMINISTER) === true
  const own = choices.find(({ id }) => id === session.claims?.impersonateUserTypeId)
  const fixedReach = whyFixedReach(type?.reach ?? null, {
    mayAdminister,
    // In a customer, the user type of platform staff isn't one of the customer's types.
    seesCustomer: session.permissions?.isSuper === true || (own?.reach ?? 'customer') === 'customer',
  })
  const record = useRecordForm<TypeValues, UserType>({
    record: type,
    // A copy of a type with access to all organizations gets less, if the caller can't grant that.
    blank: fixedReach === null ? blank : { ...blank, reach: 'organization' },
    toValues,
    labels: FIELD_NAMES,
    schema: UserType,
    endpoint,
    check: checkType,
    save: async (values, version) => {
      if (type) return updateType({ userType: { ...toInput(values), id: type.id, version } })
      const permissions = await copyGrants(values.startFrom, holds)
      return addType({ userType: toInput(values), permissions })
    },
    keep: (current) => {
      setTypeInCache(current)
      onKept?.(current)
    },
    onSaved: async (saved, meanwhile) => {
      toast(type ? 'User type saved' : 'User type added', saved.name)
      if (type) {
        onClose(true)
        return
      }
      await reloadTypeTree()
      onCreated(saved.id, meanwhile)
    },
  })
  const parents = findParents(choices, type?.id ?? null)
  return (
    <RecordForm record={record} isClosing={type !== null}>
      <div className="fc-form-fields">
        <TextInput
          {...record.field('name')}
          className="fc-wide"
          required
          maxLength={80}
          autoComplete="off"
          data-autofocus
        />
        <TypeSelect
          {...record.field('parentId')}
          className="fc-wide"
          choices={parents}
          description="Users of the parent type can manage this type and its users."
        />
        <Select
          {...record.field('reach')}
          className="fc-wide"
          data={REACH_CHOICES}
          allowDeselect={false}
          description={
            fixedReach ?? 'Whether users see only the organizations they belong to, or all of them.'
          }
          {...(fixedReach !== null && { readOnly: true })}
        />
        <SecondFactorField record={record} type={type} mayAdminister={mayAdminister} />
        {!type && <StartFromField record={record} choices={choices} />}
      </div>
      <FormFooter
        record={record}
        for={endpoint}
        save={type ? 'Save user type' : 'Add user type'}
        onCancel={() => onClose(false)}
      />
      <StaleDialog
        record={record}
        thing="this user type"
        show={(name, values) => showField(name, values, choices)}
        again={{ endpoint: userTypes.add, start: () => setAgain(true) }}
      />
    </RecordForm>
  )
}

type FieldProps = { record: RecordFormState<TypeValues, UserType> }

/** Changing it on an existing type takes permission to administer user types. */
function SecondFactorField({
  record,
  type,
  mayAdminister,
}: FieldProps & { type: UserType | null; mayAdminister: boolean }) {
  return (
    <Select
      {...record.field('secondFactor')}
      className="fc-wide"
      data={factorChoices(type)}
      allowDeselect={false}
      description={
        type && !mayAdminister
          ? `Changing this requires ${describe(ADMINISTER)}.`
          : 'At sign-in, users enter a code from email or an authenticator app after their password.'
      }
      {...(type && !mayAdminister && { readOnly: true })}
    />
  )
}

/** Which type a new one copies its permissions from. */
function StartFromField({ record, choices }: FieldProps & { choices: readonly UserTypeChoice[] }) {
  return (
    <TypeSelect
      {...record.field('startFrom')}
      className="fc-wide"
      choices={choices}
      allowDeselect
      clearable
      clearButtonProps={{ 'aria-label': 'Start with no permissions' }}
      placeholder="No permissions"
      value={record.form.values.startFrom === '' ? null : record.form.values.startFrom}
      onChange={(id) => record.change({ startFrom: id ?? '' })}
      description="Copies the permissions of that type, except those you don't have."
    />
  )
}

/** The permissions of a type, limited to those the caller has. */
async function copyGrants(id: string, holds: (wanted: Permission) => boolean | null): Promise<Permission[]> {
  if (id === '') return []
  const { permissions } = await queryClient.fetchQuery(query(userTypes.permissions, { id }))
  return permissions.filter((permission) => holds(permission) === true)
}

/** "Automatic" is only for new types. */
function factorChoices(type: UserType | null) {
  const values = type ? (['yes', 'no'] as const) : (['auto', 'yes', 'no'] as const)
  return values.map((value) => ({ value, label: FACTOR_NAMES[value] }))
}

function showField(name: string, values: TypeValues, choices: readonly UserTypeChoice[]): string {
  if (name === 'secondFactor') return FACTOR_NAMES[values.secondFactor]
  if (name === 'reach') return REACH_NAMES[values.reach]
  if (name !== 'parentId') return values.name
  return choices.find(({ id }) => id === values.parentId)?.name ?? "A user type you can't see"
}
