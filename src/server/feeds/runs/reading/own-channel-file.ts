import { feedColumns } from '#contract/channels/listings/listing-row.ts'
import { CHANNEL_KINDS, type ChannelKind, PRICE_MEANING_CODES } from '#contract/pricing/totals/price-meanings.ts'

const NAMES: Readonly<Record<ChannelKind, string>> = {
  google: 'Google vehicle ads',
  'google-listings': 'Google vehicle listings',
  meta: 'Meta',
  csv: 'a channel',
}

/** `google_product_category` in CSV; `item.g:google_product_category` in XML. */
const plainName = (column: string): string => column.replace(/^.*[.:/](?=[a-z_-]+(?:\(|$))/i, '').replace(/\(.*$/, '')

/** In an XML file of a channel, columns without any value are missing, and this one never is. */
const ALWAYS_OF_GOOGLE = ['google_product_category', 'store_code', 'certified_pre-owned']

/**
 * Why a file can't be read: the product made it for a channel, so its prices have fees and price rules in them. Null for other
 * files. The columns of such a file are always the same, in the same order.
 */
export function ownChannelFile(columns: readonly string[]): string | null {
  const kind = CHANNEL_KINDS.find((one) => isFileOf(one, columns))
  if (kind === undefined) return null
  return `Forecourt made this file for ${NAMES[kind]}: its prices have fees and price rules in them, so reading it back would change prices. Upload your provider's file, or export the vehicle list and upload that.`
}

function isFileOf(kind: ChannelKind, columns: readonly string[]): boolean {
  const text = columns.join('\n')
  if (PRICE_MEANING_CODES.some((meaning) => feedColumns(kind, meaning).join('\n') === text)) return true
  if (kind !== 'google') return false
  const known = new Set(feedColumns(kind).map(plainName))
  const names = columns.map(plainName)
  return ALWAYS_OF_GOOGLE.every((name) => names.includes(name)) && names.filter((name) => known.has(name)).length >= 15
}
