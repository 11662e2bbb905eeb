import { fieldSentences } from '#contract/field-sentences.ts'
import { NewUser, type User } from '#contract/identity/users/users.ts'
import type { Labels } from '#web/ui/record/differences.ts'

/** What the form holds: text wherever a person types, empty for "not given". */
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
  /** Of a new person only. */
  sendsPasswordMail: boolean
}

/** In the order of the form; the comparison of a stale person reads it, too. */
export const FIELD_NAMES: Labels<UserValues> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'E-mail',
  userName: 'User name',
  phone: 'Phone',
  jobTitle: 'Job title',
  userTypeId: 'User type',
  organizationIds: 'Organizations',
  isSuper: 'Super user',
  sendsPasswordMail: 'Send a mail with a link to set the password',
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

/** As the contract takes it. */
export function toInput(values: UserValues) {
  const { firstName, lastName, email, userName, phone, jobTitle, userTypeId, organizationIds, isSuper } =
    values
  return { firstName, lastName, email, userName, phone, jobTitle, userTypeId, organizationIds, isSuper }
}

/** A sentence for each field that is wrong; the contract's own, and what a choice that was not made is called. */
export function checkUser(values: UserValues): Record<string, string> {
  const { error } = NewUser.safeParse({ user: toInput(values) })
  const sentences = error ? fieldSentences(error) : {}
  return values.userTypeId === '' ? { ...sentences, 'user.userTypeId': 'User type is required.' } : sentences
}

/** The user name follows the e-mail address until one is typed. */
export function typeEmail(before: UserValues, email: string): Partial<UserValues> {
  const isFollowing = before.userName === '' || before.userName === before.email.trim()
  return isFollowing ? { email, userName: email.trim() } : { email }
}
