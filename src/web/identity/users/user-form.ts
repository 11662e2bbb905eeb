import { OrganizationIds, type User, userRecord } from '#contract/identity/users/users.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { type FormPart, recordForm } from '#web/ui/record/record-form.ts'

/** The user's organizations, and the checkboxes at the end of the form. */
type AccessValues = {
  organizationIds: string[]
  isSuper: boolean
  /** Only for a new user. */
  sendsPasswordMail: boolean
}

const accessForm: FormPart<
  'isSuper',
  Pick<User, 'isSuper' | 'organizations'>,
  AccessValues,
  { isSuper: boolean; organizationIds: string[] }
> = {
  fields: ['isSuper'],
  labels: {
    organizationIds: 'Organizations',
    isSuper: 'Super user',
    sendsPasswordMail: 'Send an email with a link to set a password',
  },
  blank: { organizationIds: [], isSuper: false, sendsPasswordMail: true },
  toValues: ({ isSuper, organizations }) => ({
    isSuper,
    organizationIds: organizations.map(({ id }) => id),
    sendsPasswordMail: false,
  }),
  toInput: ({ isSuper, organizationIds }) => ({ isSuper, organizationIds }),
  check: ({ organizationIds }, { userTypeId, ...sentences }) => {
    const { error } = OrganizationIds.safeParse(organizationIds)
    const [wrong] = error?.issues ?? []
    return {
      ...sentences,
      // A type is chosen from a list, so only a missing one can be wrong.
      ...(userTypeId !== undefined && { userTypeId: 'User type is required.' }),
      ...(wrong && { organizationIds: wrong.message }),
    }
  },
}

/** The form of a user. Whether the user is active is set by a button of its own. */
export const userForm = recordForm(userRecord, accessForm)
export type UserValues = typeof userForm.blank

type Overridden = Pick<User, 'userTypeId' | 'differences'>

const countOverrides = (overrides: number): string =>
  count(overrides, 'permission override', 'permission overrides')

/**
 * What a change of the user type does to permission overrides, before it is saved; null if nothing. An override that the new
 * type makes redundant is dropped: kept, it would outlast the type's own permission without anyone seeing it.
 */
export function warnOfOverrides(user: Overridden | null, userTypeId: string): string | null {
  if (user === null || user.differences === 0 || user.userTypeId === userTypeId) return null
  return `This user has ${countOverrides(user.differences)}. Those that the new user type makes redundant are dropped, and don't come back if you change the type back.`
}

/** The same after it was saved: how many were dropped; null if none. */
export function nameDroppedOverrides(before: Overridden | null, saved: Overridden): string | null {
  if (before === null || before.userTypeId === saved.userTypeId) return null
  const dropped = before.differences - saved.differences
  return dropped > 0
    ? `${countOverrides(dropped)} dropped, because the new user type makes them redundant`
    : null
}

/** Changes the email address, and the user name with it until that is edited. */
export function typeEmail(before: UserValues, email: string): Partial<UserValues> {
  const isFollowing = before.userName === '' || before.userName === before.email.trim()
  return isFollowing ? { email, userName: email.trim() } : { email }
}
