import type { CHECKLIST, Customer } from '#contract/customers/customers/customers.ts'

export const STATUS_NAMES: Record<Customer['status'], string> = {
  active: 'Active',
  suspended: 'Suspended',
  closed: 'Closed',
}

type Step = (typeof CHECKLIST)[number]

/** The checklist steps: the title, and what to do until it's done. */
export const STEPS: Record<Step, { title: string; todo: string }> = {
  invited: {
    title: 'Administrator invited',
    todo: 'Email the administrator a link to set a password.',
  },
  entered: {
    title: 'First sign-in',
    todo: 'The administrator opens the link, sets a password and signs in.',
  },
  domain: {
    title: 'Custom domain',
    todo: "Until then, users sign in at the platform's address. Add a domain under White label.",
  },
  lots: {
    title: 'First lot',
    todo: 'Switch to this customer and add a lot, or leave it to the administrator.',
  },
  people: {
    title: 'More users',
    todo: 'Only the administrator has an account so far. Add more under Users.',
  },
  details: {
    title: 'Contacts and details',
    todo: 'Add contacts, price rules and fees under Details.',
  },
}

/** "3 of 6 done". */
export function countDone(checklist: readonly { isDone: boolean }[]): string {
  return `${checklist.filter(({ isDone }) => isDone).length} of ${checklist.length} done`
}
