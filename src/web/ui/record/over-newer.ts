import type { z } from 'zod'
import { CallFailure } from '#web/api/failure.ts'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import { readConflictTitle } from '../form/conflict-title.ts'
import type { Versioned } from './use-record-form.ts'

type Act<Saved, Result> = Readonly<{
  /** "this lead". */
  thing: string
  /** The version that the user saw. */
  version: number
  run: (version: number) => Promise<Result>
  /** Parses the record that a 409 includes. */
  schema: z.ZodType<Saved>
  /** Shows the newer version behind the question. */
  show: (current: Saved) => void
  /** What is there now, as sentences. */
  describe: (current: Saved) => string
  /** "Set it to Sold", "Keep it". */
  confirm: string
  cancel?: string
}>

/**
 * An action without a form on the version of a record that the user saw. If another user was faster, it shows what is there now
 * and asks whether to do it all the same. Null if the user doesn't want that anymore.
 */
export async function overNewer<Saved extends Versioned, Result>(
  act: Act<Saved, Result>,
): Promise<Result | null> {
  const { thing, version, run, schema, show, describe, confirm, cancel = 'Keep it as it is' } = act
  try {
    return await run(version)
  } catch (failure) {
    const current = currentOf(failure, schema)
    if (current === null) throw failure
    show(current)
    const title = await readConflictTitle(thing, current)
    const isSure = await ask({ title, text: describe(current), confirm, cancel })
    return isSure ? overNewer({ ...act, version: current.version }) : null
  }
}

/** The newer version in a refusal of a stale one; null if it was refused for another reason. */
export function currentOf<Saved>(failure: unknown, schema: z.ZodType<Saved>): Saved | null {
  if (!(failure instanceof CallFailure) || failure.status !== 409) return null
  return schema.safeParse(failure.current).data ?? null
}
