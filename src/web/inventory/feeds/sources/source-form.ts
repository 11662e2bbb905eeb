import { fieldSentences } from '#contract/field-sentences.ts'
import {
  type AfterFetch,
  type Applies,
  NewFeedSource,
  SOURCE_PORTS,
} from '#contract/inventory/feeds/sources/feed-source-schema.ts'
import { isFetched, isSentTo } from '#contract/inventory/feeds/sources/feed-source-list.ts'
import type { FeedSource } from '#contract/inventory/feeds/sources/feed-sources.ts'
import type { Labels } from '#web/ui/record/differences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import {
  BLANK_SCHEDULE,
  SCHEDULES,
  scheduleTimes,
  scheduleValues,
  type ScheduleValues,
} from '#web/inventory/remote-servers/schedule.ts'
import { kindName } from './source-kinds.ts'

/** What becomes of a file that was read. */
export const APPLY_CHOICES: readonly { value: Applies; label: string }[] = [
  { value: 'ask', label: 'It waits until somebody applies it' },
  { value: 'byItself', label: 'It is applied, unless something holds it' },
]

/** What becomes of a file where it was, once it is kept here. */
export const AFTER_CHOICES: readonly { value: AfterFetch; label: string }[] = [
  { value: 'keep', label: 'It stays where it is' },
  { value: 'delete', label: 'It is deleted there' },
  { value: 'move', label: 'It is moved to a folder there' },
]

/**
 * What the form holds: text wherever a person types, empty for "not given". `mappingId` null: the one that fits is looked
 * for each time. `secret` is only ever a new one.
 */
export type SourceValues = {
  name: string
  kind: FeedSource['kind']
  host: string
  port: string
  remotePath: string
  userName: string
  secret: string
  afterFetch: AfterFetch
  moveTo: string
  senders: string[]
  applies: FeedSource['applies']
  mappingId: string | null
  lotIds: string[]
  isActive: boolean
} & ScheduleValues

/** How fields are called, in the order of the form. */
export const FIELD_NAMES: Labels<SourceValues> = {
  name: 'Name',
  kind: 'Comes by',
  host: 'Server',
  port: 'Port',
  remotePath: 'File there',
  userName: 'User',
  secret: 'Password or key',
  afterFetch: 'File there after a fetch',
  moveTo: 'Moved to folder',
  schedule: 'Fetched',
  everyHours: 'Hours between',
  dailyAt: 'Time of day',
  senders: 'Senders',
  applies: 'What becomes of a file',
  mappingId: 'Provider mapping',
  lotIds: 'Lots',
  isActive: 'Active',
}

export const BLANK: SourceValues = {
  name: '',
  kind: 'upload',
  host: '',
  port: '',
  remotePath: '',
  userName: '',
  secret: '',
  afterFetch: 'keep',
  moveTo: '',
  ...BLANK_SCHEDULE,
  senders: [],
  applies: 'ask',
  mappingId: null,
  lotIds: [],
  isActive: true,
}

export function toValues(source: FeedSource): SourceValues {
  const { name, kind, applies, senders, mappingId, lotIds, isActive } = source
  return {
    name,
    kind,
    applies,
    senders,
    mappingId,
    lotIds,
    isActive,
    host: source.host ?? '',
    port: source.port === null ? '' : String(source.port),
    remotePath: source.remotePath ?? '',
    userName: source.userName ?? '',
    secret: '',
    afterFetch: source.afterFetch,
    moveTo: source.moveTo ?? '',
    ...(isFetched(kind) ? scheduleValues(source) : BLANK_SCHEDULE),
  }
}

/** As the contract takes it: what belongs to another kind is left out, and so is a secret that nobody typed. */
export function toInput({ schedule, everyHours, dailyAt, secret, ...values }: SourceValues) {
  const { kind, name, mappingId, lotIds, isActive } = values
  const port = values.port.trim()
  return {
    name,
    kind,
    mappingId,
    lotIds,
    isActive,
    applies: kind === 'upload' ? ('ask' as const) : values.applies,
    senders: kind === 'mail' ? values.senders : [],
    ...(isFetched(kind)
      ? {
          host: values.host,
          port: port === '' ? null : Number(port),
          remotePath: values.remotePath,
          userName: values.userName,
          ...scheduleTimes({ schedule, everyHours, dailyAt }),
          ...afterwards(values),
          ...(secret !== '' && { secret }),
        }
      : {
          host: null,
          port: null,
          remotePath: null,
          userName: null,
          everyHours: null,
          dailyAt: null,
          afterFetch: 'keep' as const,
          moveTo: null,
        }),
  }
}

/** Whether something can be done with a file where it was: by HTTPS it is only read. */
export const canClear = ({ kind }: Pick<SourceValues, 'kind'>): boolean => isFetched(kind) && kind !== 'https'

function afterwards(values: Pick<SourceValues, 'kind' | 'afterFetch' | 'moveTo'>): {
  afterFetch: AfterFetch
  moveTo: string | null
} {
  const afterFetch = canClear(values) ? values.afterFetch : 'keep'
  return { afterFetch, moveTo: afterFetch === 'move' ? values.moveTo : null }
}

/** The port that stands in the field while nobody typed one. */
export const portHint = ({ kind }: Pick<SourceValues, 'kind'>): string => String(SOURCE_PORTS[kind] ?? '')

/** A sentence for each field that is wrong; the contract's own. */
export function checkSource(values: SourceValues): Record<string, string> {
  const { error } = NewFeedSource.safeParse(toInput(values))
  return error ? fieldSentences(error) : {}
}

/** A field as words, for the comparison. Never the secret. */
export function showField(name: string, values: SourceValues): string {
  if (name === 'kind') return kindName(values.kind)
  if (name === 'secret') return values.secret === '' ? 'As it is' : 'A new one'
  if (name === 'schedule') return SCHEDULES.find(({ value }) => value === values.schedule)?.label ?? ''
  if (name === 'applies') return APPLY_CHOICES.find(({ value }) => value === values.applies)?.label ?? ''
  if (name === 'afterFetch') {
    return AFTER_CHOICES.find(({ value }) => value === values.afterFetch)?.label ?? ''
  }
  return showValue({ ...values }[name])
}

/** What there is to see of a source beside its settings: files that people bring stand in the list of feeds. */
export const hasArrivals = ({ kind }: Pick<FeedSource, 'kind'>): boolean => isFetched(kind) || isSentTo(kind)
