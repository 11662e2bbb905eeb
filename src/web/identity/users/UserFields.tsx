import { Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/identity/users/users.ts'
import { type UserTypeChoice, userTypes } from '#contract/identity/user-types/user-types.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { useIsOtherCustomer } from '../user-types/permissions/use-is-other-customer.ts'
import { TypeSelect } from '../user-types/TypeSelect.tsx'
import { typeEmail, type UserValues, warnOfOverrides } from './user-form.ts'

type Props = {
  record: RecordFormState<UserValues, User>
  /** Null for a new one. */
  user: User | null
}

const OWN_FIELD = { readOnly: true, description: 'Ask an administrator to change this for you.' }

/** The user's personal details and access. */
export function UserFields({ record, user }: Props) {
  const { form, field, change, isReadOnly } = record
  const { permissions, claims } = useSession()
  // Users can't change their own sign-in details and permissions.
  const own = user !== null && user.id === claims?.impersonateUserId ? OWN_FIELD : {}
  const isOtherCustomer = useIsOtherCustomer()
  const types = useQuery(query(userTypes.forParent, {}))
  const organizationChoices = useQuery(query(organizations.listAll, {}))
  return (
    <div className="fc-form-fields">
      <h2 className="fc-wide">Profile</h2>
      <TextInput {...field('firstName')} required maxLength={60} autoComplete="off" />
      <TextInput {...field('lastName')} required maxLength={60} autoComplete="off" />
      <TextInput
        {...field('email')}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        onChange={(event) => {
          const email = event.currentTarget.value
          change(user ? { email } : typeEmail(form.values, email))
        }}
        {...own}
      />
      <TextInput
        {...field('userName')}
        required
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        {...(!user && { description: 'Same as the email address unless you change it.' })}
        {...own}
      />
      <TextInput {...field('phone')} type="tel" maxLength={32} autoComplete="off" />
      <TextInput {...field('jobTitle')} maxLength={80} autoComplete="off" />
      <h2 className="fc-wide">Access</h2>
      <TypeSelect
        {...field('userTypeId')}
        value={form.values.userTypeId === '' ? null : form.values.userTypeId}
        required
        choices={withOwn(types.data ?? [], user)}
        searchable
        nothingFoundMessage="No matching user type"
        placeholder="Choose a user type"
        description={warnOfOverrides(user, form.values.userTypeId)}
        {...own}
      />
      <MultiSelect
        {...field('organizationIds')}
        className="fc-wide"
        data={withCurrent(organizationChoices.data ?? [], user)}
        searchable
        hidePickedOptions
        placeholder={form.values.organizationIds.length === 0 ? 'Choose organizations' : ''}
        nothingFoundMessage="No matching organization"
        {...own}
      />
      {permissions?.isSuper === true && !isOtherCustomer && (
        <Checkbox
          {...form.getInputProps('isSuper', { type: 'checkbox' })}
          className="fc-wide"
          size="xs"
          label="Super user: full access to all customers"
          disabled={isReadOnly}
        />
      )}
      {!user && (
        <Checkbox
          {...form.getInputProps('sendsPasswordMail', { type: 'checkbox' })}
          className="fc-wide"
          size="xs"
          label="Send an email with a link to set a password"
        />
      )}
    </div>
  )
}

/** Adds the user's current type to the choices, even if the caller can't assign it. */
function withOwn(choices: readonly UserTypeChoice[], user: User | null): UserTypeChoice[] {
  if (!user || choices.some(({ id }) => id === user.userTypeId)) return [...choices]
  const own = { parentId: null, reach: 'organization', people: 0, lock: null, version: 0, depth: 0 } as const
  return [...choices, { ...own, id: user.userTypeId, name: user.userTypeName }]
}

function withCurrent(rows: readonly { id: string; name: string }[], user: User | null) {
  const known = new Map([...(user?.organizations ?? []), ...rows].map(({ id, name }) => [id, name]))
  return [...known].map(([value, label]) => ({ value, label }))
}
