import type { CustomFieldName, CustomValue } from '#contract/customers/custom-fields/custom-fields.ts'

/** What many vehicles get under one of the customer's own fields; null empties it. */
export type CustomChange = { custom: CustomFieldName; value: CustomValue | null }
