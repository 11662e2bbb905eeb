import { z } from 'zod'
import { line, optionalLine } from './fields.ts'

/** A stored contact person, who does not have to be a user. */
export const SavedContact = z.object({
  name: z.string(),
  role: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
})

/** A contact person in a request. Missing and empty values are stored as null. */
export const Contact = z.strictObject({
  name: line(100, 'Name'),
  role: optionalLine(80, 'Role').transform((role) => role ?? null),
  email: z
    .union([z.null(), z.literal('').transform(() => null), z.email('Enter a valid email address.').max(254)])
    .optional()
    .transform((email) => email ?? null),
  phone: optionalLine(32, 'Phone').transform((phone) => phone ?? null),
})
