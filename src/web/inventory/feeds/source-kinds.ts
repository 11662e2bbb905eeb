import type { ComponentType } from 'react'
import { FEED_SOURCE_LIST } from '#contract/inventory/feed-source-list.ts'
import type { FeedSource } from '#contract/inventory/feed-sources.ts'
import type { RecordFormState } from '#web/ui/form/use-record-form.ts'
import type { SourceValues } from './source-fields.ts'

type Kind = FeedSource['kind']

/** What the fields of a kind are given: those of `settings` lie in the form as `settings.<name>`. */
export type KindFieldsProps = {
  record: RecordFormState<SourceValues, FeedSource>
  /** Null for a new one. */
  source: FeedSource | null
}

type SourceKind = {
  /** How a feed comes by it, as a sentence under the choice. */
  about: string
  /** Its own settings, in a file of their own; a kind without any has none. */
  Fields: ComponentType<KindFieldsProps> | null
}

/** The kinds that can be set up here. */
export const SOURCE_KINDS: Readonly<Partial<Record<Kind, SourceKind>>> = {
  upload: { about: 'Somebody drops the file on this page.', Fields: null },
}

const NAMES = new Map<string, string>(
  FEED_SOURCE_LIST.fields.kind.choices?.map(({ value, label }) => [value, label]),
)

export function kindName(kind: string): string {
  return NAMES.get(kind) ?? kind
}
