import { z } from 'zod'
import { line, optionalLine } from './fields.ts'

/** Somebody to call, as it is kept; need not be a person who signs in. */
export const SavedContact = z.object({
  name: z.string(),
  role: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
})

/** Somebody to call, as it is sent: what is left out or empty is kept as null. */
export const Contact = z.strictObject({
  name: line(100, 'Name'),
  role: optionalLine(80, 'Role').transform((role) => role ?? null),
  email: z
    .union([
      z.null(),
      z.literal('').transform(() => null),
      z.email('This is not an e-mail address.').max(254),
    ])
    .optional()
    .transform((email) => email ?? null),
  phone: optionalLine(32, 'Phone').transform((phone) => phone ?? null),
})
