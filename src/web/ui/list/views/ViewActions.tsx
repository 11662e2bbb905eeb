import type { View } from '#contract/lists/views.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import type { ViewValues } from './SaveViewForm.tsx'
import type { ListControl } from '../use-list-state.ts'
import { lookOf, searchOf, viewStateOf } from './view-state.ts'
import { scopeNames } from './view-labels.ts'
import { changeView, chooseDefault, deleteView, saveNewView } from './view-writes.ts'
import { ViewItem } from './ViewItem.tsx'

type Props = {
  control: ListControl
  /** The open view; null for the plain list. */
  view: View | null
  isModified: boolean
  /** The list opens with some view by default. */
  hasDefault: boolean
}

/** Showing a view to others. */
const SHARES = can(Func.sharedViews, Opr.create)

/** The form is larger than the rest of the views: it is loaded when one is saved. */
const loadForm = () => import('./SaveViewForm.tsx')

/** Menu entries for the open view. Disabled entries explain why. */
export function ViewActions({ control, view, isModified, hasDefault }: Props) {
  const { claims } = useSession()
  const holds = useHolds()
  const keepsTypes = holds(can(Func.userTypes, Opr.administer)) === true
  const shareLock = holds(SHARES) === true ? null : `Sharing requires ${describe(SHARES)}.`
  if (view === null) {
    return (
      <ViewItem
        lock={hasDefault ? null : 'This is already the default.'}
        onClick={() => void chooseDefault(control.list.key, null)}
      >
        Open with all rows by default
      </ViewItem>
    )
  }
  const { state, look } = control
  const { lock } = view
  const changeLock = lock ?? (view.scope === 'private' ? null : shareLock)
  const names = scopeNames({ organization: claims?.organizationName ?? '', userType: view.userTypeName })

  async function share(scope: View['scope']) {
    if (!view || (scope === view.scope && scope !== 'userType')) return
    if (scope === 'userType' && keepsTypes) await editView(view, 'Share view')
    else await changeView(view, { scope }, 'View shared')
  }
  return (
    <>
      {isModified && (
        <>
          <ViewItem
            lock={changeLock}
            onClick={() => void changeView(view, { state: viewStateOf(control, state, look) })}
          >
            Save changes
          </ViewItem>
          <ViewItem onClick={() => control.open(searchOf(control, view), lookOf(view.state))}>
            Discard changes
          </ViewItem>
        </>
      )}
      <ViewItem onClick={() => void saveAs(control, `${view.name} 2`)}>Save as…</ViewItem>
      <ViewItem lock={changeLock} onClick={() => void editView(view, 'Rename view')}>
        Rename…
      </ViewItem>
      <hr />
      <fieldset className="fc-drop-group" aria-label="Share with">
        <span className="fc-drop-head" aria-hidden="true">
          Share with
        </span>
        {names.map(({ scope, name }) => (
          <ViewItem
            key={scope}
            lock={lock ?? (scope === 'private' ? null : shareLock)}
            isChosen={scope === view.scope}
            onClick={() => void share(scope)}
          >
            {name}
          </ViewItem>
        ))}
      </fieldset>
      <hr />
      <ViewItem onClick={() => void chooseDefault(control.list.key, view.isDefault ? null : view)}>
        {view.isDefault ? 'Remove as default' : 'Make default'}
      </ViewItem>
      <ViewItem
        lock={lock}
        isDestructive
        onClick={() => {
          void deleteView(view).then((isGone) => isGone && control.open(null, null))
        }}
      >
        Delete view
      </ViewItem>
    </>
  )
}

/** Asks for a name, saves the current state of the list as a view, and opens it. */
export async function saveAs(control: ListControl, name: string): Promise<void> {
  const { list, state, look } = control
  const shown = viewStateOf(control, state, look)
  const values: ViewValues = { name, scope: 'private' }
  const { SaveViewForm } = await loadForm()
  const view = await askFor<View>('Save view', (answer) => (
    <SaveViewForm
      id={null}
      values={values}
      confirm="Save view"
      save={(wanted) => saveNewView({ list: list.key, state: shown, ...wanted })}
      onAnswer={answer}
    />
  ))
  if (view) control.open(searchOf(control, view), lookOf(view.state))
}

async function editView(view: View, title: string): Promise<void> {
  const { id, name, scope, userTypeId } = view
  const { SaveViewForm } = await loadForm()
  await askFor<View>(title, (answer) => (
    <SaveViewForm
      id={id}
      values={{ name, scope, ...(userTypeId !== null && { userTypeId }) }}
      confirm="Save"
      save={(wanted) => changeView(view, wanted)}
      onAnswer={answer}
    />
  ))
}
