import type { z } from 'zod'
import type { SavedContact } from '#contract/contact.ts'

/** A contact as form values: missing values are empty strings. */
export type ContactRow = { name: string; role: string; email: string; phone: string }

export const BLANK_CONTACT: ContactRow = { name: '', role: '', email: '', phone: '' }

/** Stored contacts as form values. */
export function contactRows(contacts: readonly z.infer<typeof SavedContact>[]): ContactRow[] {
  return contacts.map(({ name, role, email, phone }) => ({
    name,
    role: role ?? '',
    email: email ?? '',
    phone: phone ?? '',
  }))
}

/** A contact as text: "Dana Whitfield (Owner dana@northgate.example)". */
export function showContact({ name, role, email, phone }: ContactRow): string {
  const about = [role, email, phone].filter(Boolean).join(' ')
  return about === '' ? name : `${name} (${about})`
}
