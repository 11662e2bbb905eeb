import { stringify } from 'csv-stringify/sync'
import {
  type FeedFormat,
  feedColumns,
  feedRow,
  type FeedRow,
  GOOGLE_FULFILLMENT,
} from '#contract/channels/listings/listing-row.ts'
import type { PriceMeaning, ChannelKind } from '#contract/pricing/totals/price-meanings.ts'
import { type CustomColumn, customRow } from '#contract/channels/listings/custom-columns.ts'
import type { VehicleListing } from '#contract/channels/listings/vehicle-listing.ts'

export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** The name of a file that a receiver downloads: the channel has a name for its users. */
export const downloadName = (format: FeedFormat): string => `vehicles.${format}`

/** The text of a file in pieces: a head, one row per vehicle, and a foot. */
export type FeedWriter = {
  head: string
  row: (listing: VehicleListing, isFirst: boolean) => string
  foot: string
}

/** The writer for a channel's kind and format. The same listings always give the same bytes. */
export function feedWriter({ kind, format, columns, priceMeaning }: FileSettings): FeedWriter {
  const hasCustomColumns = kind === 'csv' && columns.length > 0
  const names = hasCustomColumns ? columns.map(({ name }) => name) : feedColumns(kind, priceMeaning)
  const rowOf = (listing: VehicleListing) =>
    hasCustomColumns ? customRow(columns, listing) : pick(names, feedRow(kind, listing))
  switch (format) {
    case 'csv':
      return { head: csvLine(names), row: (listing) => csvRow(names, rowOf(listing)), foot: '' }
    case 'json':
      return {
        head: '[',
        row: (listing, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(rowOf(listing))}`,
        foot: '\n]\n',
      }
    default:
      return kind === 'google' ? googleXml : plainXml(rowOf)
  }
}

type FileSettings = {
  kind: ChannelKind
  format: FeedFormat
  columns: readonly CustomColumn[]
  priceMeaning: PriceMeaning
}

const pick = (names: readonly string[], row: FeedRow): FeedRow =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? '']))

const csvRow = (names: readonly string[], row: FeedRow): string =>
  csvLine(names.map((name) => joined(row[name] ?? '')))

/** RSS with Google's element names, the only XML that Google accepts. */
const googleXml: FeedWriter = {
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Vehicles</title>\n',
  row: (listing) => {
    const { [GOOGLE_FULFILLMENT]: fulfillment = '', ...row } = feedRow('google', listing)
    const [option = '', code = ''] = joined(fulfillment).split(':', 2)
    const group = elements({ option, store_code: code }, 'g:')
    return `<item>${elements(row, 'g:')}<g:vehicle_fulfillment>${group}</g:vehicle_fulfillment></item>\n`
  },
  foot: '</channel></rss>\n',
}
const plainXml = (rowOf: (listing: VehicleListing) => FeedRow): FeedWriter => ({
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<vehicles>\n',
  row: (listing) => `<vehicle>${elements(rowOf(listing), '')}</vehicle>\n`,
  foot: '</vehicles>\n',
})

/** Read by machines, so values that start with `+` are not escaped as in exports for spreadsheets. */
function csvLine(values: readonly string[]): string {
  return stringify([[...values]], { record_delimiter: '\n' })
}

/** Joins values with commas. Commas within a value become `%2C` in URLs and spaces elsewhere. */
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

/** XML 1.0 doesn't allow control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
