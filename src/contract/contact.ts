import { z } from 'zod'
import { line, optionalLine } from './fields.ts'

export const MAX_PHONE = 32
export const NO_PHONE =
  'Phone can contain only digits, spaces, the characters + ( ) . - /, and an extension such as x12.'

export const isEmail = (text: string): boolean => z.email().safeParse(text).success

/** A phone number as people write it, with or without an extension: "+1 (415) 555-0100 ext. 12". */
export const isPhone = (text: string): boolean =>
  text.length <= MAX_PHONE &&
  /^\+?[\d ()./-]{5,}(?: ?(?:x|ext\.?) ?\d+)?$/i.test(text) &&
  text.replaceAll(/\D/g, '').length >= 5

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
  phone: optionalLine(MAX_PHONE, 'Phone').transform((phone) => phone ?? null),
})
