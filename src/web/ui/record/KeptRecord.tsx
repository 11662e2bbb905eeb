import { Fragment, type ReactNode, useState } from 'react'
import type { Versioned } from './use-record-form.ts'

type Props<Row> = {
  /** The record as it is known right now. Give the component a `key` of the record's number. */
  record: Row
  /** `keep` puts a record in its place: the saved one, or what somebody else saved. It begins the form anew. */
  children: (record: Row, keep: (record: Row) => void) => ReactNode
}

/**
 * Holds on to the record that a form began with. What arrives later by itself (the window has the focus again) must
 * not wipe what is being typed: the save will tell that somebody else was faster.
 */
export function LoadedRecord<Row extends Versioned>({ record, children }: Props<Row>) {
  const [kept, keep] = useState(record)
  return <Fragment key={kept.version}>{children(kept, keep)}</Fragment>
}
