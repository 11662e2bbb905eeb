import type { Sent } from '#contract/endpoint.ts'
import { View, views } from '#contract/lists/views.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'

const addView = send(views.add)
const updateView = send(views.update)
const removeView = send(views.remove)
const setDefaultView = send(views.setDefault)

/** Saves a new view. Errors are thrown: the form shows them. */
export async function saveNewView(wanted: Sent<typeof views.add>): Promise<View> {
  const view = await addView(wanted)
  await reread(view.list)
  toast('View saved', view.name)
  return view
}

type Change = Omit<Sent<typeof views.update>, 'id' | 'version'>

/**
 * Changes a view. On a conflict, the user is asked whether to overwrite. Null: nothing was changed, and the user
 * was told.
 */
export async function changeView(view: View, change: Change, message = 'View saved'): Promise<View | null> {
  return refused(async () => {
    const saved = await updateView({ id: view.id, version: view.version, ...change }).catch(
      (failure: unknown) => overwrite(failure, view, change),
    )
    await reread(view.list)
    if (saved) toast(message, saved.name)
    return saved
  })
}

async function overwrite(failure: unknown, view: View, change: Change): Promise<View | null> {
  const current =
    failure instanceof CallFailure && failure.status === 409 ? View.safeParse(failure.current) : null
  if (!current?.success) throw failure
  const isSure = await ask({
    title: `${current.data.name} has changed`,
    text: 'Another user saved this view after you opened it. Saving replaces their version.',
    confirm: 'Overwrite',
    isDestructive: true,
  })
  return isSure ? updateView({ id: view.id, version: current.data.version, ...change }) : null
}

/** Asks for confirmation and deletes. Returns whether the view was deleted. */
export async function deleteView(shown: View): Promise<boolean> {
  const { id, list, name, scope } = shown
  const done = await askToRemove({
    read: async () => {
      const all = await queryClient.fetchQuery({ ...query(views.list, { list }), staleTime: 0 })
      return all.find((view) => view.id === id) ?? shown
    },
    shown,
    thing: 'this view',
    question: {
      title: `Delete view ${name}?`,
      text:
        scope === 'private'
          ? "Only the view is deleted, not the rows. This can't be undone."
          : "It is deleted for everyone it is shared with. The rows aren't affected. This can't be undone.",
      confirm: 'Delete view',
    },
    run: ({ version }) => removeView({ id, version }),
  })
  if (done === null) return false
  await reread(list)
  if (done !== 'gone') toast('View deleted', done.removed.name)
  return true
}

/** The default view of a list; null for the plain list. */
export async function chooseDefault(list: string, view: View | null): Promise<void> {
  await refused(async () => {
    await setDefaultView({ list, id: view?.id ?? null })
    await reread(list)
    toast('Default view', view?.name ?? 'All')
  })
}

/** Shows the server's error and returns null. */
async function refused<Result>(write: () => Promise<Result>): Promise<Result | null> {
  try {
    return await write()
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    showError(failure)
    return null
  }
}

async function reread(list: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: keyOf(views.counts) })
  await queryClient.invalidateQueries({ queryKey: query(views.list, { list }).queryKey })
}
