import { z } from 'zod'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { remoteFileFields, isPattern, serverErrors, scheduleErrors } from '#contract/remote-server.ts'
import { FEED_FORMATS, FORMATS_OF } from '../listings/listing-row.ts'
import { findColumnErrors, type CustomColumn, CustomColumns } from '../listings/custom-columns.ts'
import {
  PRICE_MEANING_CODES,
  type PriceMeaning,
  CHANNEL_KINDS,
  type ChannelKind,
} from '#contract/pricing/totals/price-meanings.ts'
import { PAGE_PARTS } from '../listings/vehicle-listing.ts'

/** `pull`: the receiver downloads the file from an unguessable URL. For the others, we send the file. */
export const DESTINATIONS = ['pull', 'sftp', 'ftps', 'https'] as const
export type Destination = (typeof DESTINATIONS)[number]
/** Default port for each destination. */
export const USUAL_PORTS: Readonly<Record<Destination, number | null>> = {
  pull: null,
  sftp: 22,
  ftps: 21,
  https: 443,
}

const fields = {
  name: line(80, 'Name'),
  kind: z.enum(CHANNEL_KINDS, 'Choose a destination.'),
  format: z.enum(FEED_FORMATS, 'Choose CSV, XML or JSON.'),
  isActive: z.boolean('Turn the channel on or off.'),
  /** A rule on the vehicle list; blank means every vehicle in stock. */
  rule: z
    .string('The filter must be text.')
    .trim()
    .max(4_000, 'The filter can have at most 4,000 characters.'),
  pageTemplate: optionalLine(500, 'Vehicle page URL').pipe(
    z
      .string()
      .refine(isPageTemplate, 'Start with https:// and use only {vin}, {stock}, {id} and {lot}.')
      .nullish()
      .transform((template) => template ?? null),
  ),
  /** Columns of a custom file, in order; empty means the standard columns. */
  columns: CustomColumns,
  priceMeaning: z.enum(PRICE_MEANING_CODES, 'Choose what the price field means.'),
  priceNote: optionalLine(300, 'Source').transform((note) => note ?? null),
  destination: z.enum(DESTINATIONS, 'Choose a delivery method.'),
  ...remoteFileFields,
}

function isPageTemplate(text: string): boolean {
  const names = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  const parts: readonly string[] = PAGE_PARTS
  return /^https?:\/\/[^\s{}]+/.test(text) && names.every((name) => parts.includes(name ?? ''))
}

type Settings = {
  kind: ChannelKind
  format: (typeof FEED_FORMATS)[number]
  columns: readonly CustomColumn[]
  priceMeaning: PriceMeaning
  priceNote: string | null
  destination: Destination
  host: string | null
  remotePath: string | null
  userName: string | null
  everyHours: number | null
  dailyAt: string | null
}

/** Error messages by field for settings that don't work together. */
export function findSettingErrors(channel: Settings): Record<string, string> {
  const flaws: Record<string, string> = {}
  const { destination } = channel
  if (channel.kind === 'csv') {
    Object.assign(flaws, findColumnErrors(channel.columns, channel.format, channel.priceMeaning))
  }
  if (channel.kind === 'csv' && channel.priceMeaning === 'without-fees' && channel.priceNote === null) {
    flaws.priceNote = 'Enter where the receiver says that it adds the fees.'
  }
  if (!FORMATS_OF[channel.kind].includes(channel.format)) {
    flaws.format = `Choose ${FORMATS_OF[channel.kind].map((format) => format.toUpperCase()).join(' or ')} for this destination.`
  }
  if (destination !== 'pull') Object.assign(flaws, serverErrors({ ...channel, protocol: destination }))
  // An unchanged file isn't sent again, so a file name with a date would be missing on many days.
  if (channel.remotePath?.includes('{')) flaws.remotePath = 'Use one fixed file name, without braces.'
  if (isPattern({ protocol: destination, path: channel.remotePath ?? '' }))
    flaws.remotePath = 'Use one fixed file name, without asterisks.'
  return { ...flaws, ...scheduleErrors(channel) }
}

export const NewChannel = z
  .strictObject({
    ...fields,
    format: fields.format.optional().default('csv'),
    isActive: fields.isActive.optional().default(true),
    rule: fields.rule.optional().default(''),
    pageTemplate: fields.pageTemplate.optional().default(null),
    columns: fields.columns.optional().default([]),
    priceMeaning: fields.priceMeaning.optional().default('total'),
    priceNote: fields.priceNote.optional().default(null),
    host: fields.host.optional().default(null),
    port: fields.port.optional().default(null),
    remotePath: fields.remotePath.optional().default(null),
    userName: fields.userName.optional().default(null),
    everyHours: fields.everyHours.optional().default(null),
    dailyAt: fields.dailyAt.optional().default(null),
  })
  .superRefine((channel, context) => {
    for (const [path, message] of Object.entries(findSettingErrors(channel))) {
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })
export type NewChannel = z.output<typeof NewChannel>

/** Accepts the full response of `edit-channel`; fields that aren't sent are not changed. */
export const ChannelChange = z.strictObject({
  id: Id,
  version: Version,
  name: fields.name.optional(),
  kind: fields.kind.optional(),
  format: fields.format.optional(),
  isActive: fields.isActive.optional(),
  rule: fields.rule.optional(),
  pageTemplate: fields.pageTemplate.optional(),
  columns: fields.columns.optional(),
  priceMeaning: fields.priceMeaning.optional(),
  priceNote: fields.priceNote.optional(),
  destination: fields.destination.optional(),
  host: fields.host.optional(),
  port: fields.port.optional(),
  remotePath: fields.remotePath.optional(),
  userName: fields.userName.optional(),
  secret: fields.secret,
  everyHours: fields.everyHours.optional(),
  dailyAt: fields.dailyAt.optional(),
})
