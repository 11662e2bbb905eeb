import { unlessBlank } from '#contract/parsing/typed-number.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { readFileUrl } from './file-url.ts'
import {
  type AfterFetch,
  type Applies,
  NewFeedSource,
  SOURCE_PORTS,
} from '#contract/feeds/sources/feed-source-schema.ts'
import { isFetched, isSentTo } from '#contract/feeds/sources/feed-source-list.ts'
import { FeedSource } from '#contract/feeds/sources/feed-sources.ts'
import type { Labels } from '#web/ui/record/differences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import {
  BLANK_SCHEDULE,
  SCHEDULES,
  scheduleTimes,
  scheduleValues,
  type ScheduleValues,
} from '#web/ui/remote-servers/schedule.ts'
import { kindName } from './source-kinds.ts'

/** What happens when a file arrives. */
export const APPLY_CHOICES: readonly { value: Applies; label: string }[] = [
  { value: 'ask', label: 'Wait for a user to apply it' },
  { value: 'automatic', label: 'Apply automatically unless it needs review' },
]

/** What happens to the file on its server after it is stored. */
export const AFTER_CHOICES: readonly { value: AfterFetch; label: string }[] = [
  { value: 'keep', label: 'Leave it in place' },
  { value: 'delete', label: 'Delete it' },
  { value: 'move', label: 'Move it to a folder' },
]

/**
 * The form values: text for typed fields, empty if not set. `mappingId` null: selected for each file. `secret` is only filled with
 * a new one.
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

/** Field labels, in form order. */
const FIELD_NAMES: Labels<SourceValues> = {
  name: 'Name',
  kind: 'Delivery method',
  host: 'Server',
  port: 'Port',
  remotePath: 'File path',
  userName: 'User name',
  secret: 'Password or key',
  afterFetch: 'After fetching the file',
  moveTo: 'Move to folder',
  schedule: 'Schedule',
  everyHours: 'Interval in hours',
  dailyAt: 'Time of day',
  senders: 'Senders',
  applies: 'When a file arrives',
  mappingId: 'Provider mapping',
  lotIds: 'Lots',
  isActive: 'Accept files from this source',
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

/** The API input, without settings of other delivery methods and without an empty secret. */
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
          port: unlessBlank(port),
          remotePath: values.remotePath,
          userName: values.userName,
          ...scheduleTimes({ schedule, everyHours, dailyAt }),
          ...afterFetchSettings(values),
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

/** The values that a pasted URL fills in; null if it isn't the URL of a file. The user name and password stay if it has none. */
export function fromUrl(text: string): Partial<SourceValues> | null {
  const url = readFileUrl(text)
  if (url === null) return null
  const { kind, host, port, path, userName, secret } = url
  return {
    kind,
    host,
    port: port === null ? '' : String(port),
    remotePath: path,
    ...(userName !== null && { userName }),
    ...(secret !== null && { secret }),
  }
}

/** Whether a fetched file can be deleted or moved: HTTPS can only read it. */
export const canRemove = ({ kind }: Pick<SourceValues, 'kind'>): boolean =>
  isFetched(kind) && kind !== 'https'

function afterFetchSettings(values: Pick<SourceValues, 'kind' | 'afterFetch' | 'moveTo'>): {
  afterFetch: AfterFetch
  moveTo: string | null
} {
  const afterFetch = canRemove(values) ? values.afterFetch : 'keep'
  return { afterFetch, moveTo: afterFetch === 'move' ? values.moveTo : null }
}

/** The default port, shown as the placeholder. */
export const portHint = ({ kind }: Pick<SourceValues, 'kind'>): string => String(SOURCE_PORTS[kind] ?? '')

/** A message for each invalid field. */
export function checkSource(values: SourceValues): Record<string, string> {
  const { error } = NewFeedSource.safeParse(toInput(values))
  return error ? fieldSentences(error) : {}
}

/** A field as text, for comparing versions. Never shows the secret. */
export function showField(name: string, values: SourceValues): string {
  if (name === 'kind') return kindName(values.kind)
  if (name === 'secret') return values.secret === '' ? 'Unchanged' : 'New'
  if (name === 'schedule') return SCHEDULES.find(({ value }) => value === values.schedule)?.label ?? ''
  if (name === 'applies') return APPLY_CHOICES.find(({ value }) => value === values.applies)?.label ?? ''
  if (name === 'afterFetch') {
    return AFTER_CHOICES.find(({ value }) => value === values.afterFetch)?.label ?? ''
  }
  return showValue({ ...values }[name])
}

/** Whether a source has a Deliveries tab. Uploads appear only in the list of feeds. */
export const hasDeliveries = ({ kind }: Pick<FeedSource, 'kind'>): boolean =>
  isFetched(kind) || isSentTo(kind)

/** Everything the drawer needs to know. */
export const sourceForm = {
  schema: FeedSource,
  labels: FIELD_NAMES,
  blank: BLANK,
  toValues,
  toInput,
  check: checkSource,
}
