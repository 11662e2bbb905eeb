import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { capitalize } from '#contract/capitalize.ts'
import { CallFailure } from '#web/api/failure.ts'
import { queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import type { Versioned } from './use-record-form.ts'

type Question = Omit<Parameters<typeof ask>[0], 'isDestructive'>

type Removal<Saved, Result> = {
  /** Reads the record again. */
  read: Endpoint<z.ZodType<unknown, { id: string | number }>, z.ZodType<Saved>> | (() => Promise<Saved>)
  /** The record as the user sees it. */
  shown: Pick<Versioned, 'version'> & { id: string }
  /** "this lot". */
  thing: string
  /** If it depends on the record: made of it. Null: it can't be deleted, and the user has read why. */
  question: Question | ((current: Saved) => Question | Promise<Question | null>)
  /** Not asked unless someone changed the record: its deletion can be undone. */
  isQuiet?: boolean
  /** Deletes the record in the version that it gets, which the call must send. */
  run: (current: Saved) => Promise<Result>
  /** Shows why it can't be deleted; the default is the message in a dialog. */
  onRefused?: (failure: CallFailure) => void
}

/** What is being asked about or deleted. */
const running = new Set<string>()

/**
 * Asks before a record is deleted, says so if someone changed it since it was shown, and deletes it. What is changed while the
 * question is open, or while the deletion is on its way, is asked about again. A second click meanwhile does nothing.
 * @returns the record as it was deleted, to undo it, and what `run` returned; null if it stays; `gone` if someone else had deleted
 * it, and the user has read that: what shows it is to close
 */
export async function askToRemove<Saved extends Versioned, Result>(
  removal: Removal<Saved, Result>,
): Promise<{ removed: Saved; result: Result } | 'gone' | null> {
  const { shown, thing, onRefused = showError } = removal
  const key = `${thing} ${shown.id}`
  if (running.has(key)) return null
  running.add(key)
  try {
    return await removeAsSeen(removal)
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    if (failure.status === 404) {
      toast(`${capitalize(thing)} was already deleted`, 'Someone else deleted it, or you lost access to it.')
      void queryClient.invalidateQueries()
      return 'gone'
    }
    onRefused(failure)
    return null
  } finally {
    running.delete(key)
  }
}

async function removeAsSeen<Saved extends Versioned, Result>({
  read,
  shown,
  thing,
  question,
  isQuiet = false,
  run,
}: Removal<Saved, Result>): Promise<{ removed: Saved; result: Result } | null> {
  // oxlint-disable no-await-in-loop -- Each step is about the answer before it.
  for (let told = isQuiet ? shown.version : null; ;) {
    const current = await (typeof read === 'function' ? read() : send(read)({ id: shown.id }))
    if (current.version === told) {
      try {
        return { removed: current, result: await run(current) }
      } catch (failure) {
        if (!isStale(failure)) throw failure
        told = null
      }
    } else {
      const change = current.version === shown.version ? '' : describeChange(thing, current)
      const asked = typeof question === 'function' ? await question(current) : question
      if (asked === null) return null
      const text = [change, asked.text].filter(Boolean).join(' ')
      if (!(await ask({ ...asked, text, isDestructive: true }))) return null
      told = current.version
    }
  }
  // oxlint-enable no-await-in-loop
}

const isStale = (failure: unknown): boolean =>
  failure instanceof CallFailure && failure.status === 409 && failure.current !== undefined

const describeChange = (thing: string, { updatedBy, updatedAt }: Versioned): string =>
  `${updatedBy ?? 'Someone'} changed ${thing}${updatedAt ? ` ${formatAgo(updatedAt)}` : ''}, after it was shown here.`
