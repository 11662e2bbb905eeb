import { useEffect } from 'react'
import { showRecordTitle } from './title.ts'

/** Names the tab after the open record. */
export function useRecordTitle(name: string): void {
  useEffect(() => showRecordTitle(name), [name])
}
