import type { CHECKLIST, Customer, OpenCustomer } from '#contract/customers/customers/customers.ts'

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

type Administrator = NonNullable<OpenCustomer['administrator']>

/** What became of the latest email to the administrator. `ago`: when it was written, in words. */
export function describeMail(state: Administrator['passwordMailState'], ago: string): string {
  const sentences = {
    sent: `A mail server accepted the email that was written ${ago}.`,
    waiting: `The email that was written ${ago} has not been sent yet.`,
    kept: `The email that was written ${ago} was not sent: there is no mail server for it. Show it, and pass its link on.`,
    failed: `The email that was written ${ago} could not be sent. Check the address, or show it and pass its link on.`,
  }
  return state === null ? 'No email yet.' : sentences[state]
}

/** Whether an address leads to the computer that it is opened on, so that a link to it works nowhere else. */
export const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
