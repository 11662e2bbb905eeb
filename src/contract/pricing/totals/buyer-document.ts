/** Documents for buyers, all from the same explanation of the price. */
export const BUYER_DOCUMENTS = [
  { value: 'deal-sheet', label: 'Deal sheet', about: 'The price step by step, with a place to sign' },
  { value: 'window-sticker', label: 'Window sticker', about: 'Details, equipment and price on one page' },
  { value: 'hang-tag', label: 'Hang tags', about: 'Cards with price and QR code, four on a page' },
] as const
export type BuyerDocumentKind = (typeof BUYER_DOCUMENTS)[number]['value']
export const BUYER_DOCUMENT_KINDS = BUYER_DOCUMENTS.map(({ value }) => value)

/** PDF to print; HTML to read on a screen, with a screen reader, or in another language. */
export const BUYER_DOCUMENT_FORMATS = ['pdf', 'html'] as const

/** The most vehicles in one file. */
export const MAX_BUYER_DOCUMENTS = 100
