import { fieldSentences } from '#contract/field-sentences.ts'
import { type FeedSource, NewFeedSource } from '#contract/inventory/feed-sources.ts'
import type { Labels } from '#web/ui/form/differences.ts'

/** What the form holds. `mappingId` null: the one that fits is looked for each time. */
export type SourceValues = {
  name: string
  kind: FeedSource['kind']
  mappingId: string | null
  lotIds: string[]
  settings: Record<string, string | number | boolean | null>
  schedule: string
  isActive: boolean
}

/** How fields are called, in the order of the form. */
export const FIELD_NAMES: Labels<SourceValues> = {
  name: 'Name',
  kind: 'Comes by',
  mappingId: 'Provider mapping',
  lotIds: 'Lots',
  settings: 'Settings',
  schedule: 'Fetched',
  isActive: 'Active',
}

export const BLANK: SourceValues = {
  name: '',
  kind: 'upload',
  mappingId: null,
  lotIds: [],
  settings: {},
  schedule: '',
  isActive: true,
}

export function toValues(source: FeedSource): SourceValues {
  const { name, kind, mappingId, lotIds, settings, schedule, isActive } = source
  const plain = Object.entries(settings).filter(
    (entry): entry is [string, string | number | boolean | null] => isPlain(entry[1]),
  )
  return {
    name,
    kind,
    mappingId,
    lotIds,
    isActive,
    settings: Object.fromEntries(plain),
    schedule: schedule ?? '',
  }
}

/** As the contract takes it. */
export function toInput({ schedule, ...values }: SourceValues) {
  return { ...values, schedule: schedule.trim() === '' ? null : schedule }
}

/** A sentence for each field that is wrong; the contract's own. */
export function checkSource(values: SourceValues): Record<string, string> {
  const { error } = NewFeedSource.safeParse(toInput(values))
  return error ? fieldSentences(error) : {}
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
