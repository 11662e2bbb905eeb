import { stringify } from 'csv-stringify/sync'
import {
  type FeedFormat,
  feedColumns,
  feedRow,
  type FeedRow,
} from '#contract/inventory/channels/listings/listing-row.ts'
import type { ChannelKind } from '#contract/inventory/channels/listings/hold-back.ts'
import { type OwnColumn, ownRow } from '#contract/inventory/channels/listings/own-columns.ts'
import type { VehicleListing } from '#contract/inventory/channels/listings/vehicle-listing.ts'

export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** A file in pieces: what stands first, one piece for each vehicle, what stands last. Pure text. */
export type FeedWriter = {
  head: string
  row: (offer: VehicleListing, isFirst: boolean) => string
  foot: string
}

/** How a kind of feed is written. The same offers make the same bytes. */
export function feedWriter({ kind, format, columns }: Way): FeedWriter {
  const isOwn = kind === 'csv' && columns.length > 0
  const names = isOwn ? columns.map(({ name }) => name) : feedColumns(kind)
  const rowOf = (offer: VehicleListing) => (isOwn ? ownRow(columns, offer) : feedRow(kind, offer))
  switch (format) {
    case 'csv':
      return { head: csvLine(names), row: (offer) => csvRow(names, rowOf(offer)), foot: '' }
    case 'json':
      return {
        head: '[',
        row: (offer, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(rowOf(offer))}`,
        foot: '\n]\n',
      }
    default:
      return kind === 'google' ? googleXml : plainXml(rowOf)
  }
}

type Way = { kind: ChannelKind; format: FeedFormat; columns: readonly OwnColumn[] }

const csvRow = (names: readonly string[], row: FeedRow): string =>
  csvLine(names.map((name) => joined(row[name] ?? '')))

/** As RSS with Google's names, the one XML that it reads. */
const googleXml: FeedWriter = {
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Vehicles</title>\n',
  row: (offer) => `<item>${elements(feedRow('google', offer), 'g:')}</item>\n`,
  foot: '</channel></rss>\n',
}
const plainXml = (rowOf: (offer: VehicleListing) => FeedRow): FeedWriter => ({
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<vehicles>\n',
  row: (offer) => `<vehicle>${elements(rowOf(offer), '')}</vehicle>\n`,
  foot: '</vehicles>\n',
})

/** For machines: a text that begins with a plus stays as it is, which for people's workbooks would not do. */
function csvLine(values: readonly string[]): string {
  return stringify([[...values]], { record_delimiter: '\n' })
}

/** Several values in one, with commas between them alone: an address has another way to write its own. */
function joined(value: string | readonly string[]): string {
  if (typeof value === 'string') return value
  return value.map((one) => one.replaceAll(',', /^https?:/.test(one) ? '%2C' : ' ')).join(',')
}

function elements(row: FeedRow, prefix: string): string {
  return Object.entries(row)
    .flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((one) => [name, one] as const),
    )
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<${prefix}${name}>${escaped(value)}</${prefix}${name}>`)
    .join('')
}

/** XML 1.0 has no control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
