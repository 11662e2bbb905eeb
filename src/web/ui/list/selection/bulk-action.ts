import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { SeenOfRows } from '#contract/deletion.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'

/** Starts the job of a bulk action. `seen`: what a deletion says of the rows as the user saw them. `done`: it needs no job, and has said so; null: the user canceled it when asked. */
export type StartJob = (selection: Selection, count: number, seen: SeenOfRows) => Promise<Job | 'done' | null>

/** An action for many rows of a list. */
export type BulkAction = {
  id: string
  /** A verb: "Delete". */
  label: string
  icon: ReactNode
  /** The endpoint it calls. It determines the permission. */
  endpoint: Endpoint
  tone?: 'bad'
} & (
  | {
      /** Asks for confirmation, naming the action and the number of rows (decision 0025). False cancels. */
      ask?: (selection: Selection, count: number) => Promise<boolean>
      start: StartJob
    }
  /** Asks for details in a dialog that starts the job itself, so that what was entered stays until that succeeded. Null cancels. */
  | { choose: (selection: Selection, count: number, seen: () => SeenOfRows) => Promise<Job | null> }
)
