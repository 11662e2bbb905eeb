import { Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/identity/users/users.ts'
import { type UserTypeChoice, userTypes } from '#contract/identity/user-types/user-types.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { useIsOtherCustomer } from '../user-types/permissions/use-is-abroad.ts'
import { TypeSelect } from '../user-types/TypeSelect.tsx'
import { typeEmail, type UserValues } from './user-form.ts'

type Props = {
  record: RecordFormState<UserValues, User>
  /** Null for a new one. */
  user: User | null
}

const OWN = { readOnly: true, description: 'Somebody else who keeps users changes this for you.' }

/** Who the person is, and what they may enter. */
export function UserFields({ record, user }: Props) {
  const { form, field, change, isReadOnly } = record
  const { permissions, claims } = useSession()
  // One's own way in and rights are changed by somebody else.
  const own = user !== null && user.id === claims?.impersonateUserId ? OWN : {}
  const isOtherCustomer = useIsOtherCustomer()
  const types = useQuery(query(userTypes.forParent, {}))
  const places = useQuery(query(organizations.listAll, {}))
  return (
    <div className="fc-form-fields">
      <h2 className="fc-wide">Person</h2>
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
        {...(!user && { description: 'Follows the e-mail address until you type one.' })}
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
        nothingFoundMessage="No such user type"
        placeholder="What they may do"
        {...own}
      />
      <MultiSelect
        {...field('organizationIds')}
        className="fc-wide"
        data={withKnown(places.data ?? [], user)}
        searchable
        hidePickedOptions
        placeholder={form.values.organizationIds.length === 0 ? 'Where they work' : ''}
        nothingFoundMessage="No such organization"
        {...own}
      />
      {permissions?.isSuper === true && !isOtherCustomer && (
        <Checkbox
          {...form.getInputProps('isSuper', { type: 'checkbox' })}
          className="fc-wide"
          size="xs"
          label="Super user: may do everything, for every customer"
          disabled={isReadOnly}
        />
      )}
      {!user && (
        <Checkbox
          {...form.getInputProps('sendsPasswordMail', { type: 'checkbox' })}
          className="fc-wide"
          size="xs"
          label="Send a mail with a link to set the password"
        />
      )}
    </div>
  )
}

/** The type the person is of stands among the choices also where the caller does not keep it. */
function withOwn(choices: readonly UserTypeChoice[], user: User | null): UserTypeChoice[] {
  if (!user || choices.some(({ id }) => id === user.userTypeId)) return [...choices]
  const own = { parentId: null, reach: 'organization', people: 0, lock: null, depth: 0 } as const
  return [...choices, { ...own, id: user.userTypeId, name: user.userTypeName }]
}

function withKnown(rows: readonly { id: string; name: string }[], user: User | null) {
  const known = new Map([...(user?.organizations ?? []), ...rows].map(({ id, name }) => [id, name]))
  return [...known].map(([value, label]) => ({ value, label }))
}
