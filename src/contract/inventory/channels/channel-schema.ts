import { z } from 'zod'
import { Id, line, optionalLine, Version } from '#contract/fields.ts'
import { filePlace, isPattern, placeFlaws, scheduleFlaws } from '../feeds/sources/remote-server.ts'
import { FEED_FORMATS, FORMATS_OF } from './listings/listing-row.ts'
import { flawsOfColumns, type OwnColumn, OwnColumns } from './listings/own-columns.ts'
import { CHANNEL_KINDS, type ChannelKind } from './listings/hold-back.ts'
import { PAGE_PARTS } from './listings/vehicle-listing.ts'

/** `pull`: whoever wants the file fetches it from an address nobody guesses. The others are sent to. */
export const DESTINATIONS = ['pull', 'sftp', 'ftps', 'https'] as const
export type Destination = (typeof DESTINATIONS)[number]
/** Where servers of a kind listen unless somebody says otherwise. */
export const USUAL_PORTS: Readonly<Record<Destination, number | null>> = {
  pull: null,
  sftp: 22,
  ftps: 21,
  https: 443,
}

const fields = {
  name: line(80, 'Name'),
  kind: z.enum(CHANNEL_KINDS, 'Choose what the channel is made for.'),
  format: z.enum(FEED_FORMATS, 'Choose CSV, XML or JSON.'),
  isActive: z.boolean('Say whether it is on.'),
  /** A rule over the list of vehicles; empty: every vehicle in stock. */
  rule: z.string('The rule must be text.').trim().max(4_000, 'The rule may have at most 4000 characters.'),
  pageTemplate: optionalLine(500, 'Address of pages').pipe(
    z
      .string()
      .refine(isPageTemplate, 'Begin with https:// and use only {vin}, {stock}, {id} and {lot}.')
      .nullish()
      .transform((template) => template ?? null),
  ),
  /** Of a plain file, in their order; empty: our own. */
  columns: OwnColumns,
  destination: z.enum(DESTINATIONS, 'Choose how the file gets there.'),
  ...filePlace,
}

function isPageTemplate(text: string): boolean {
  const names = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  const parts: readonly string[] = PAGE_PARTS
  return /^https?:\/\/[^\s{}]+/.test(text) && names.every((name) => parts.includes(name ?? ''))
}

type Settings = {
  kind: ChannelKind
  format: (typeof FEED_FORMATS)[number]
  columns: readonly OwnColumn[]
  destination: Destination
  host: string | null
  remotePath: string | null
  userName: string | null
  everyHours: number | null
  dailyAt: string | null
}

/** What does not fit together, a sentence for each field. */
export function flawsOf(channel: Settings): Record<string, string> {
  const flaws: Record<string, string> = {}
  const { destination } = channel
  if (channel.kind === 'csv') Object.assign(flaws, flawsOfColumns(channel.columns, channel.format))
  if (!FORMATS_OF[channel.kind].includes(channel.format)) {
    flaws.format = `This kind is written as ${FORMATS_OF[channel.kind].join(' or ').toUpperCase()}.`
  }
  if (destination !== 'pull') Object.assign(flaws, placeFlaws({ ...channel, protocol: destination }))
  // A file that is as it was is not sent again, so that a name of the day would often be missing.
  if (channel.remotePath?.includes('{'))
    flaws.remotePath = 'The file of a channel has one name, without braces.'
  if (isPattern({ protocol: destination, path: channel.remotePath ?? '' }))
    flaws.remotePath = 'The file of a channel has one name, without stars.'
  return { ...flaws, ...scheduleFlaws(channel) }
}

export const NewChannel = z
  .strictObject({
    ...fields,
    format: fields.format.optional().default('csv'),
    isActive: fields.isActive.optional().default(true),
    rule: fields.rule.optional().default(''),
    pageTemplate: fields.pageTemplate.optional().default(null),
    columns: fields.columns.optional().default([]),
    host: fields.host.optional().default(null),
    port: fields.port.optional().default(null),
    remotePath: fields.remotePath.optional().default(null),
    userName: fields.userName.optional().default(null),
    everyHours: fields.everyHours.optional().default(null),
    dailyAt: fields.dailyAt.optional().default(null),
  })
  .superRefine((channel, context) => {
    for (const [path, message] of Object.entries(flawsOf(channel))) {
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })
export type NewChannel = z.output<typeof NewChannel>

/** What `edit-channel` answered may come back whole; only the fields that are there are changed. */
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
  destination: fields.destination.optional(),
  host: fields.host.optional(),
  port: fields.port.optional(),
  remotePath: fields.remotePath.optional(),
  userName: fields.userName.optional(),
  secret: fields.secret,
  everyHours: fields.everyHours.optional(),
  dailyAt: fields.dailyAt.optional(),
})
