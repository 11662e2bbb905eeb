import { type ReactNode, useState } from 'react'
import type { Versioned } from './use-record-form.ts'

type Props<Row> = {
  /** The latest version of the record. Set the component's `key` to the record's ID. */
  record: Row
  /** `keep` replaces the record with the saved one or with another user's version. */
  children: (record: Row, keep: (record: Row) => void) => ReactNode
}

/**
 * Holds the version of the record that a form started or goes on with. A background refetch (when the window regains focus)
 * must not overwrite what the user is typing; saving reports a conflict instead.
 */
export function LoadedRecord<Row extends Versioned>({ record, children }: Props<Row>) {
  const [loaded, keep] = useState(record)
  return children(loaded, keep)
}
