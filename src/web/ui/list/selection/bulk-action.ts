import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'

export type StartJob = (selection: Selection, count: number) => Promise<Job>

/** One thing that can be done to many rows of a list at once. */
export type BulkAction = {
  id: string
  /** A verb: "Delete". */
  label: string
  icon: ReactNode
  /** What it calls: its permission is the button's. */
  endpoint: Endpoint
  tone?: 'bad'
} & (
  | {
      /** Asks whether at all, naming what and how many (decision 0025). False: do nothing. */
      ask?: (selection: Selection, count: number) => Promise<boolean>
      start: StartJob
    }
  /** Asks what exactly. Null: the person thought better of it. */
  | { choose: (count: number) => Promise<StartJob | null> }
)
