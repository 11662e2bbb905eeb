import { unlessBlank } from '#contract/parsing/typed-number.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { NewChannel, USUAL_PORTS } from '#contract/channels/channels/channel-schema.ts'
import { Channel } from '#contract/channels/channels/channels.ts'
import { PRICE_MEANINGS } from '#contract/pricing/totals/price-meanings.ts'
import { labelOf } from '#contract/record.ts'
import type { CustomColumn } from '#contract/channels/listings/custom-columns.ts'
import type { Labels } from '#web/ui/record/differences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import {
  BLANK_SCHEDULE,
  SCHEDULES,
  scheduleTimes,
  scheduleValues,
  type ScheduleValues,
} from '#web/ui/remote-servers/schedule.ts'
import { destinationName, kindName } from './channel-labels.ts'

/** The values of the form. Typed fields are text, empty if not set. `secret` is only ever a new one. */
export type ChannelValues = {
  name: string
  kind: Channel['kind']
  format: Channel['format']
  isActive: boolean
  rule: string
  pageTemplate: string
  columns: CustomColumn[]
  priceMeaning: Channel['priceMeaning']
  priceNote: string
  destination: Channel['destination']
  host: string
  port: string
  remotePath: string
  userName: string
  secret: string
} & ScheduleValues

/** Field labels in the order of the form. */
const FIELD_NAMES: Labels<ChannelValues> = {
  name: 'Name',
  kind: 'Destination',
  format: 'Format',
  isActive: 'Active',
  rule: 'Vehicle filter',
  pageTemplate: 'Vehicle page URL',
  columns: 'Columns',
  priceMeaning: 'Price field',
  priceNote: 'Where the receiver says that it adds fees',
  destination: 'Delivery',
  host: 'Server',
  port: 'Port',
  remotePath: 'File path',
  userName: 'User name',
  secret: 'Password or key',
  schedule: 'Schedule',
  everyHours: 'Interval in hours',
  dailyAt: 'Time of day',
}

const BLANK: ChannelValues = {
  name: '',
  kind: 'google',
  format: 'csv',
  isActive: true,
  rule: '',
  pageTemplate: '',
  columns: [],
  priceMeaning: 'total',
  priceNote: '',
  destination: 'pull',
  host: '',
  port: '',
  remotePath: '',
  userName: '',
  secret: '',
  ...BLANK_SCHEDULE,
}

function toValues(channel: Channel): ChannelValues {
  const { name, kind, format, isActive, rule, destination } = channel
  return {
    name,
    kind,
    format,
    isActive,
    rule,
    destination,
    pageTemplate: channel.pageTemplate ?? '',
    columns: channel.columns,
    priceMeaning: channel.priceMeaning,
    priceNote: channel.priceNote ?? '',
    host: channel.host ?? '',
    port: channel.port === null ? '' : String(channel.port),
    remotePath: channel.remotePath ?? '',
    userName: channel.userName ?? '',
    secret: '',
    ...scheduleValues(channel),
  }
}

/** The input for the API, without settings of other delivery methods and without a blank secret. */
function toInput({ schedule, everyHours, dailyAt, secret, ...values }: ChannelValues) {
  const isSent = values.destination !== 'pull'
  return {
    ...values,
    pageTemplate: values.pageTemplate.trim() || null,
    columns: values.kind === 'csv' ? values.columns : [],
    priceMeaning: values.kind === 'csv' ? values.priceMeaning : ('total' as const),
    priceNote: values.priceNote.trim() || null,
    host: isSent ? values.host : null,
    port: isSent ? unlessBlank(values.port) : null,
    remotePath: isSent ? values.remotePath : null,
    userName: isSent ? values.userName : null,
    ...scheduleTimes({ schedule, everyHours, dailyAt }),
    ...(isSent && secret !== '' && { secret }),
  }
}

/** The default port, as a placeholder. */
export const portHint = ({ destination }: ChannelValues): string => String(USUAL_PORTS[destination] ?? '')

/** The contract's error messages by field. */
function checkChannel(values: ChannelValues): Record<string, string> {
  const { error } = NewChannel.safeParse(toInput(values))
  return error ? fieldSentences(error) : {}
}

/** A form field as text, for the comparison after a conflict. Never shows the secret. */
export function showField(name: string, values: ChannelValues): string {
  if (name === 'kind') return kindName(values.kind)
  if (name === 'priceMeaning') return labelOf(PRICE_MEANINGS, values.priceMeaning)
  if (name === 'destination') return destinationName(values.destination)
  if (name === 'schedule') return SCHEDULES.find(({ value }) => value === values.schedule)?.label ?? ''
  if (name === 'columns') {
    return values.columns.map((column) => `${column.name}: ${column.value}`).join('\n') || 'Standard columns'
  }
  if (name === 'secret') return values.secret === '' ? 'Unchanged' : 'Replaced'
  return showValue({ ...values }[name])
}

/** Everything the drawer needs to know. */
export const channelForm = {
  schema: Channel,
  labels: FIELD_NAMES,
  blank: BLANK,
  toValues,
  toInput,
  check: checkChannel,
}
