import type { z } from 'zod'
import type { SavedContact } from '#contract/contact.ts'

/** A contact as a form holds it: what nobody said is empty. */
export type ContactRow = { name: string; role: string; email: string; phone: string }

export const BLANK_CONTACT: ContactRow = { name: '', role: '', email: '', phone: '' }

/** Contacts as they are kept, for a form. */
export function contactRows(contacts: readonly z.infer<typeof SavedContact>[]): ContactRow[] {
  return contacts.map(({ name, role, email, phone }) => ({
    name,
    role: role ?? '',
    email: email ?? '',
    phone: phone ?? '',
  }))
}

/** One in words: "Dana Whitfield (Owner dana@northgate.example)". */
export function showContact({ name, role, email, phone }: ContactRow): string {
  const about = [role, email, phone].filter(Boolean).join(' ')
  return about === '' ? name : `${name} (${about})`
}
