import { copyName } from '#contract/copy-name.ts'
import { CallFailure } from '#web/api/failure.ts'

const MOST = 50

/** Adds a copy of a record under the first name that is free. `max`: the most characters of a name. */
export async function addCopy<Saved>(
  name: string,
  max: number,
  add: (name: string) => Promise<Saved>,
): Promise<Saved> {
  for (let at = 1; ; at += 1) {
    try {
      // One after the other: which one is free shows when it is added.
      // oxlint-disable-next-line no-await-in-loop
      return await add(copyName(name, at, max))
    } catch (failure) {
      const isTaken = failure instanceof CallFailure && failure.status === 409 && 'name' in failure.fields
      if (!isTaken || at === MOST) throw failure
    }
  }
}
