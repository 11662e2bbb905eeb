import { centsIn, type PriceSurface, type PrintedAmount } from '#contract/channels/listings/price-surface.ts'
import { BUYER_DOCUMENTS, type BuyerDocumentKind } from '#contract/pricing/totals/buyer-document.ts'
import type { PrintedDocument } from '#server/printed-document.ts'
import { htmlOf } from '#server/printed-html.ts'
import { buyerDocument, buyerVehicle } from './buyer-documents.ts'

const LINES = 'How the total price is calculated'

/** The figures are large. The lines explain them, so only their last one has to be the total. */
function amountsOf({ figures, groups }: PrintedDocument): PrintedAmount[] {
  const lines = groups.find(({ title }) => title === LINES || title === 'Price')?.rows ?? []
  const large = figures.flatMap(({ value }, at) => printed(value, at === 0 ? 1 : 2))
  return [...large, ...lines.flatMap((row) => printed(row.at(-1) ?? '', 2))]
}

function printed(text: string, prominence: 1 | 2): PrintedAmount[] {
  const cents = centsIn(text)
  return cents === null ? [] : [{ cents, prominence }]
}

function surfaceOf(kind: BuyerDocumentKind, name: string): PriceSurface {
  const documentOf: (input: Parameters<PriceSurface['amounts']>[0]) => PrintedDocument | null = (input) => {
    const { disclaimers } = input
    const vehicle = buyerVehicle(input, {
      disclaimers,
      link: 'https://cars.example/v/7',
      priceEnd: null,
    })
    return vehicle && buyerDocument(kind, vehicle, null)
  }
  return {
    name,
    amounts: (input) => {
      const document = documentOf(input)
      return document === null ? [] : amountsOf(document)
    },
    text: (input) => {
      const document = documentOf(input)
      return document === null ? '' : htmlOf([document])
    },
  }
}

/** The documents that buyers are given. */
export const DOCUMENT_PRICE_SURFACES: readonly PriceSurface[] = BUYER_DOCUMENTS.map(({ value, label }) =>
  surfaceOf(value, label.toLowerCase()),
)
