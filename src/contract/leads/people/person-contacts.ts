import { z } from 'zod'
import { Instant } from '#contract/fields.ts'

/** What a number or an address is for. */
export const CONTACT_LABELS = [
  { value: 'mobile', label: 'Mobile' },
  { value: 'home', label: 'Home' },
  { value: 'work', label: 'Work' },
  { value: 'fax', label: 'Fax' },
  { value: 'other', label: 'Other' },
] as const
export const CONTACT_LABEL_CODES = CONTACT_LABELS.map(({ value }) => value)
export type ContactLabel = (typeof CONTACT_LABEL_CODES)[number]

/** An address or number of a person, once for all leads that gave it. */
export const PersonContact = z.object({
  id: z.string(),
  kind: z.enum(['email', 'phone']),
  value: z.string(),
  /** An email address in lowercase; a phone number as +19165550178 if it is a possible one. */
  key: z.string(),
  label: z.enum(CONTACT_LABEL_CODES).nullable(),
  /** The first lead that gave it; null if a user entered it, or the buyer wrote from it. */
  leadId: z.string().nullable(),
  /** The source of that lead. */
  sourceName: z.string().nullable(),
  /** The user who entered it. */
  addedBy: z.string().nullable(),
  firstSeenAt: Instant,
  lastUsedAt: Instant,
  /** A user chose it. */
  isPreferred: z.boolean(),
  /** Answers go to this address, and calls to this number. */
  isUsed: z.boolean(),
  /** The lead that is read gave it, and the buyer was known by others before. */
  isNew: z.boolean(),
  /** A placeholder, or the address of who sends leads for others: it never says who a buyer is. */
  isPlaceholder: z.boolean(),
  version: z.number().int(),
})
export type PersonContact = z.infer<typeof PersonContact>
