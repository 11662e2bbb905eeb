import { fieldSentences } from '#contract/field-sentences.ts'
import { NewCustomer } from '#contract/customers/customers/customers.ts'
import { ownTimeZone } from '#web/ui/form/TimeZoneSelect.tsx'

/** What the form of a new customer holds: text wherever a person types, empty for "not given". */
export type NewCustomerValues = {
  name: string
  organizationName: string
  timeZone: string
  domain: string
  firstName: string
  lastName: string
  email: string
  userName: string
}

export const NEW_CUSTOMER_LABELS: Record<keyof NewCustomerValues, string> = {
  name: 'Name',
  organizationName: 'First organization',
  timeZone: 'Time zone',
  domain: 'Domain',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'E-mail',
  userName: 'User name',
}

/** The zone of the person at the screen is the likeliest guess. */
export const BLANK_CUSTOMER: NewCustomerValues = {
  name: '',
  organizationName: '',
  timeZone: ownTimeZone(),
  domain: '',
  firstName: '',
  lastName: '',
  email: '',
  userName: '',
}

/** As the contract takes it. */
export function toNewCustomer(values: NewCustomerValues): NewCustomer {
  const { firstName, lastName, email, userName, ...customer } = values
  const given = userName.trim() === '' ? {} : { userName }
  return { ...customer, administrator: { firstName, lastName, email, ...given } }
}

/** A sentence for each field that is wrong; the contract's own. */
export function checkNewCustomer(values: NewCustomerValues): Record<string, string> {
  const { error } = NewCustomer.safeParse(toNewCustomer(values))
  return error ? fieldSentences(error) : {}
}

/** The organization is called like the customer until somebody gives it a name of its own. */
export function rename(values: NewCustomerValues, name: string): Partial<NewCustomerValues> {
  return values.organizationName === values.name ? { name, organizationName: name } : { name }
}
