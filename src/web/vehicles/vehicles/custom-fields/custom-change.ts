import type { CustomFieldName, CustomValue } from '#contract/customers/custom-fields/custom-fields.ts'

/** A bulk change to a custom field; null clears it. */
export type CustomChange = { custom: CustomFieldName; value: CustomValue | null }
