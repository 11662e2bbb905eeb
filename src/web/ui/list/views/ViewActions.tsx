import type { View } from '#contract/lists/views.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
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
  /** The open one; null: the list as it is. */
  view: View | null
  isModified: boolean
  /** Some view is the one the list opens with. */
  hasDefault: boolean
}

/** Its fields take more code than all views: they come when one is saved. */
const loadForm = () => import('./SaveViewForm.tsx')

/** What can be done with the open view, as entries of a menu. What may not be changed says why. */
export function ViewActions({ control, view, isModified, hasDefault }: Props) {
  const { claims } = useSession()
  const keepsTypes = useHolds()(can(Func.userTypes, Opr.administer)) === true
  if (view === null) {
    return (
      <ViewItem
        lock={hasDefault ? null : 'It opens with this already.'}
        onClick={() => void chooseDefault(control.list.key, null)}
      >
        Open the list with all rows
      </ViewItem>
    )
  }
  const { state, look } = control
  const { lock } = view
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
            lock={lock}
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
      <ViewItem lock={lock} onClick={() => void editView(view, 'Rename view')}>
        Rename…
      </ViewItem>
      <hr />
      <fieldset className="fc-drop-group" aria-label="Share with">
        <span className="fc-drop-head" aria-hidden="true">
          Share with
        </span>
        {names.map(({ scope, name }) => (
          <ViewItem key={scope} lock={lock} isChosen={scope === view.scope} onClick={() => void share(scope)}>
            {name}
          </ViewItem>
        ))}
      </fieldset>
      <hr />
      <ViewItem onClick={() => void chooseDefault(control.list.key, view.isDefault ? null : view)}>
        {view.isDefault ? 'Do not open the list with it' : 'Make default'}
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

/** Asks for a name, saves how the list stands there, and opens it. */
export async function saveAs(control: ListControl, name: string): Promise<void> {
  const { list, state, look } = control
  const shown = viewStateOf(control, state, look)
  const values: ViewValues = { name, scope: 'private' }
  const { SaveViewForm } = await loadForm()
  const view = await askFor<View>('Save view', (answer) => (
    <SaveViewForm
      values={values}
      confirm="Save view"
      save={async (wanted) => answer(await saveNewView({ list: list.key, state: shown, ...wanted }))}
      onCancel={() => answer(null)}
    />
  ))
  if (view) control.open(searchOf(control, view), lookOf(view.state))
}

async function editView(view: View, title: string): Promise<void> {
  const { name, scope, userTypeId } = view
  const { SaveViewForm } = await loadForm()
  await askFor<true>(title, (answer) => (
    <SaveViewForm
      values={{ name, scope, ...(userTypeId !== null && { userTypeId }) }}
      confirm="Save"
      save={async (wanted) => {
        await changeView(view, wanted)
        answer(true)
      }}
      onCancel={() => answer(null)}
    />
  ))
}
