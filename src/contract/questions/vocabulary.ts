// Without zod, so that a page that only evaluates answers doesn't load it.

/** Countries with a known format of postal codes and phone numbers. */
export const COUNTRIES = ['US', 'CA', 'MX', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL'] as const
export type Country = (typeof COUNTRIES)[number]

/**
 * `required`: must be answered. `ifApplicable`: must be answered or marked as not applicable. `mayRefuse`: must be
 * answered or refused with a reason. `voluntary`: may stay empty, unless `requiredIf` is true.
 */
export const OBLIGATIONS = ['required', 'ifApplicable', 'mayRefuse', 'voluntary'] as const
export type Obligation = (typeof OBLIGATIONS)[number]

/** Sizes of organizations by their number of employees: under 10, 50 and 250, and 250 or more. EU recommendation 2003/361/EC. */
export const ORGANIZATION_SIZES = ['micro', 'small', 'medium', 'large'] as const
export type OrganizationSize = (typeof ORGANIZATION_SIZES)[number]
export const SIZE_CHOICES = [
  { value: 'micro', label: 'Micro: under 10 employees' },
  { value: 'small', label: 'Small: 10 to 49 employees' },
  { value: 'medium', label: 'Medium: 50 to 249 employees' },
  { value: 'large', label: 'Large: 250 employees or more' },
] as const satisfies readonly { value: OrganizationSize; label: string }[]

/** Kinds of files a question accepts. */
export const FILE_KINDS = ['image', 'pdf', 'spreadsheet', 'document'] as const

/** How someone agrees to be contacted. */
export const CONSENT_CHANNELS = ['email', 'call', 'text'] as const
/** `inquiry`: only to answer this submission. */
export const CONSENT_PURPOSES = ['inquiry', 'marketing', 'privacy'] as const
