import { fieldSentences } from '#contract/field-sentences.ts'
import { NewUser, type User } from '#contract/identity/users/users.ts'
import type { Labels } from '#web/ui/record/differences.ts'

/** Form values. Empty text means not given. */
export type UserValues = {
  firstName: string
  lastName: string
  email: string
  userName: string
  phone: string
  jobTitle: string
  userTypeId: string
  organizationIds: string[]
  isSuper: boolean
  /** Only for a new user. */
  sendsPasswordMail: boolean
}

/** Labels in the order of the form, also used when comparing conflicting changes. */
export const FIELD_NAMES: Labels<UserValues> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  userName: 'User name',
  phone: 'Phone',
  jobTitle: 'Job title',
  userTypeId: 'User type',
  organizationIds: 'Organizations',
  isSuper: 'Super user',
  sendsPasswordMail: 'Send an email with a link to set a password',
}

export const BLANK: UserValues = {
  firstName: '',
  lastName: '',
  email: '',
  userName: '',
  phone: '',
  jobTitle: '',
  userTypeId: '',
  organizationIds: [],
  isSuper: false,
  sendsPasswordMail: true,
}

export function toValues(user: User): UserValues {
  const { firstName, lastName, email, userName, phone, jobTitle, userTypeId, organizations, isSuper } = user
  return {
    firstName,
    lastName,
    email,
    userName,
    userTypeId,
    isSuper,
    phone: phone ?? '',
    jobTitle: jobTitle ?? '',
    organizationIds: organizations.map(({ id }) => id),
    sendsPasswordMail: false,
  }
}

/** Input for the contract. */
export function toInput(values: UserValues) {
  const { firstName, lastName, email, userName, phone, jobTitle, userTypeId, organizationIds, isSuper } =
    values
  return { firstName, lastName, email, userName, phone, jobTitle, userTypeId, organizationIds, isSuper }
}

/** Error messages by field, from the contract, and one for a missing user type. */
export function checkUser(values: UserValues): Record<string, string> {
  const { error } = NewUser.safeParse({ user: toInput(values) })
  const sentences = error ? fieldSentences(error) : {}
  return values.userTypeId === '' ? { ...sentences, 'user.userTypeId': 'User type is required.' } : sentences
}

/** Changes the email address, and the user name with it until that is edited. */
export function typeEmail(before: UserValues, email: string): Partial<UserValues> {
  const isFollowing = before.userName === '' || before.userName === before.email.trim()
  return isFollowing ? { email, userName: email.trim() } : { email }
}
