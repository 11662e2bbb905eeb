import { z } from 'zod'

/** What can say to which store a lead belongs, in the order in which it decides. */
export const STORE_CLUES = [
  { value: 'vendor', label: 'vendor name' },
  { value: 'dealer-code', label: 'dealer code' },
  { value: 'dealer-id', label: 'dealer ID' },
  { value: 'vin', label: 'VIN' },
  { value: 'stock', label: 'stock number' },
  { value: 'subject', label: 'name in the subject' },
  { value: 'make', label: 'make' },
  { value: 'postal-code', label: 'ZIP code' },
] as const
export type StoreClue = (typeof STORE_CLUES)[number]['value']
const CLUE_CODES = STORE_CLUES.map(({ value }) => value)

/** In the middle of a sentence. */
export const storeClueLabel = (clue: StoreClue): string =>
  STORE_CLUES.find(({ value }) => value === clue)?.label ?? clue

const StoreFinding = z.object({
  clue: z.enum(CLUE_CODES),
  /** As it was sent. */
  value: z.string(),
  lotId: z.string(),
  /** The name it had then. */
  lotName: z.string(),
})
export type StoreFinding = z.infer<typeof StoreFinding>

/** By what the store of a lead to a group address was found, stored with the lead. */
export const StoreEvidence = z.object({
  /** Null: the store wasn't found. */
  found: StoreFinding.nullable(),
  /** What names another store. */
  contradicting: z.array(StoreFinding),
  /** The dealer that the lead names, and its IDs. */
  vendorName: z.string().nullable(),
  vendorIds: z.array(z.string()),
})
export type StoreEvidence = z.infer<typeof StoreEvidence>
