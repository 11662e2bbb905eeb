import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import type { Versioned } from './use-record-form.ts'

type Question = Omit<Parameters<typeof ask>[0], 'isDestructive'>

type Removal<Saved> = {
  /** Reads the record. */
  endpoint: Endpoint<z.ZodType<unknown, { id: string | number }>, z.ZodType<Saved>>
  /** The record as the user sees it. */
  shown: Versioned & { id: string }
  /** "this lot". */
  thing: string
  question: Question
  /** Not asked unless someone changed the record: its deletion can be undone. */
  isQuiet?: boolean
}

/**
 * Asks before a record is deleted, and says so if someone changed it since it was shown. What is changed while the question is
 * open is asked about again. @returns the record as it is now; null if it stays or can't be read, which is shown
 */
export async function askToRemove<Saved extends Versioned>({
  endpoint,
  shown,
  thing,
  question,
  isQuiet = false,
}: Removal<Saved>): Promise<Saved | null> {
  for (let told = isQuiet ? shown.version : null; ;) {
    // oxlint-disable-next-line no-await-in-loop -- Each question is about the answer before it.
    const current = await readNow(endpoint, shown.id)
    if (current === null || current.version === told) return current
    const change = current.version === shown.version ? '' : describeChange(thing, current)
    const text = [change, question.text].filter(Boolean).join(' ')
    // oxlint-disable-next-line no-await-in-loop -- As above.
    if (!(await ask({ ...question, text, isDestructive: true }))) return null
    told = current.version
  }
}

const describeChange = (thing: string, { updatedBy, updatedAt }: Versioned): string =>
  `${updatedBy ?? 'Someone'} changed ${thing}${updatedAt ? ` ${formatAgo(updatedAt)}` : ''}, after it was shown here.`

async function readNow<Saved>(endpoint: Removal<Saved>['endpoint'], id: string): Promise<Saved | null> {
  try {
    return await send(endpoint)({ id })
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    showError(failure)
    return null
  }
}
