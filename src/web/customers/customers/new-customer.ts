import { fieldSentences } from '#contract/field-sentences.ts'
import { NewCustomer } from '#contract/customers/customers/customers.ts'
import { ownTimeZone } from '#web/ui/form/TimeZoneSelect.tsx'

/** Form values: text for every input, empty for none. */
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
  email: 'Email',
  userName: 'User name',
}

/** Defaults to the browser's time zone. */
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

/** Converts form values to the contract's input. */
export function toNewCustomer(values: NewCustomerValues): NewCustomer {
  const { firstName, lastName, email, userName, ...customer } = values
  const optional = userName.trim() === '' ? {} : { userName }
  return { ...customer, administrator: { firstName, lastName, email, ...optional } }
}

/** The contract's error message for each invalid field. */
export function checkNewCustomer(values: NewCustomerValues): Record<string, string> {
  const { error } = NewCustomer.safeParse(toNewCustomer(values))
  return error ? fieldSentences(error) : {}
}

/** Keeps the organization name equal to the customer name until it's edited. */
export function rename(values: NewCustomerValues, name: string): Partial<NewCustomerValues> {
  return values.organizationName === values.name ? { name, organizationName: name } : { name }
}
