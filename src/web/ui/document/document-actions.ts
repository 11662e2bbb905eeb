import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { capitalize } from '#contract/capitalize.ts'
import { CallFailure } from '#web/api/failure.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'

type Listed = Readonly<{ id: string; version: number; name: string; publishedNumber: number | null }>
type ById<D> = (input: { id: string }) => Promise<D>
type AtVersion<D> = (input: { id: string; version: number }) => Promise<D>
type Question = Parameters<typeof ask>[0]

/** Publishing and deleting a document, with what the user reads. `noun`: `form`. Failures are shown. */
export function documentActions<D extends Listed>(
  noun: string,
  calls: {
    get: Endpoint<z.ZodType<unknown, { id: string | number }>, z.ZodType<D>>
    publish: AtVersion<D>
    remove: AtVersion<unknown>
  },
) {
  const Noun = capitalize(noun)
  return {
    /** Publishes the saved draft. @returns the document, or null after a failure, which is shown */
    publish: async ({ id, version, name }: Listed, says = `${Noun} published`): Promise<D | null> => {
      const published = await orNull(calls.publish({ id, version }))
      if (published !== null) toast(says, `${name}, version ${published.publishedNumber}`)
      return published
    },
    /** Asks, then deletes the document. @returns whether it is deleted */
    remove: async (shown: Listed): Promise<boolean> => {
      const { name } = shown
      const done = await askToRemove({
        read: calls.get,
        shown,
        thing: `this ${noun}`,
        question: {
          title: `Delete ${name}?`,
          text: `The ${noun} and its versions will be deleted. This can't be undone.`,
          confirm: `Delete ${noun}`,
        },
        run: ({ id, version }) => calls.remove({ id, version }),
      })
      if (done !== null && done !== 'gone') toast(`${Noun} deleted`, name)
      return done !== null
    },
  }
}

/** The actions of a document whose draft is opened and closed, and that can be copied. */
export function draftActions<D extends Listed>(
  noun: string,
  calls: { openDraft: ById<D>; discardDraft: AtVersion<D>; duplicate: ById<D> },
) {
  const Noun = capitalize(noun)
  return {
    /** Opens a draft of the next version. @returns null after a failure, which is shown */
    openDraft: ({ id }: Pick<Listed, 'id'>): Promise<D | null> => orNull(calls.openDraft({ id })),
    /** Asks, then returns to the published version. @returns null if the user canceled or it failed */
    discardDraft: ({ id, version, name, publishedNumber }: Listed): Promise<D | null> =>
      changeDocument(
        calls.discardDraft,
        { id, version },
        {
          question: {
            title: 'Discard this draft?',
            text: `All changes since version ${publishedNumber} will be lost. This can't be undone.`,
            confirm: 'Discard draft',
            isDestructive: true,
          },
          says: ['Draft discarded', name],
        },
      ),
    /** Adds a copy as a draft. @returns the copy, or null after a failure, which is shown */
    duplicate: async ({ id }: Pick<Listed, 'id'>): Promise<D | null> => {
      const copy = await orNull(calls.duplicate({ id }))
      if (copy !== null) toast(`${Noun} duplicated`, copy.name)
      return copy
    },
  }
}

/** Asks if there is a question, changes a document, and says so. @returns null if the user canceled or it failed */
export async function changeDocument<Input, D>(
  change: (input: Input) => Promise<D>,
  input: Input,
  { question, says }: { question?: Question; says: readonly [title: string, text: string] },
): Promise<D | null> {
  if (question !== undefined && !(await ask(question))) return null
  const changed = await orNull(change(input))
  if (changed !== null) toast(...says)
  return changed
}

/** Shows a failure: of a rejected document, the first of its errors. */
async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    const [detail] = Object.values(failure.fields)
    if (detail !== undefined && failure.status === 400) {
      const { kind, status, requestId } = failure
      showError(new CallFailure({ kind, status, requestId, message: detail }))
    } else showError(failure)
    return null
  }
}
