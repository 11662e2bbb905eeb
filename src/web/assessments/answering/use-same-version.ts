import { useState } from 'react'

/**
 * The latest record of the version that the page opened with: inputs and answers on their way belong to its questions.
 * `isMoved`: the assessment asks another version now, so the page must be opened again.
 */
export function useSameVersion<T extends object>(
  latest: T,
  versionOf: (record: T) => number,
): { record: T; isMoved: boolean } {
  const [record, setRecord] = useState(latest)
  const isMoved = versionOf(latest) !== versionOf(record)
  if (!isMoved && latest !== record) setRecord(latest)
  return { record, isMoved }
}
