import type { CHECKLIST, Customer } from '#contract/customers/customers/customers.ts'

export const STATUS_NAMES: Record<Customer['status'], string> = {
  active: 'Active',
  suspended: 'Suspended',
  closed: 'Closed',
}

type Step = (typeof CHECKLIST)[number]

/** The steps of the checklist: what each is called, and what to do while it is open. */
export const STEPS: Record<Step, { title: string; todo: string }> = {
  invited: {
    title: 'Administrator invited',
    todo: 'Send the administrator the mail with the link to the first password.',
  },
  entered: {
    title: 'Somebody signed in',
    todo: 'The administrator opens the link, sets a password and signs in.',
  },
  domain: {
    title: 'Own domain',
    todo: 'Until there is one, its people sign in at the address of the platform. Domains are kept under White label.',
  },
  lots: {
    title: 'First lot',
    todo: 'Work in this customer and add a lot, or leave it to the administrator.',
  },
  people: {
    title: 'Colleagues',
    todo: 'So far only the administrator works here. People are added under Users.',
  },
  details: {
    title: 'Contacts and details',
    todo: 'Whom to call, prices and fees are kept under Details.',
  },
}

/** "3 of 6 done". */
export function countDone(checklist: readonly { isDone: boolean }[]): string {
  return `${checklist.filter(({ isDone }) => isDone).length} of ${checklist.length} done`
}
