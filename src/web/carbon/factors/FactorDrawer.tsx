import { useMutation } from '#web/api/mutation.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { Button } from '@mantine/core'
import type { Factor } from '#contract/carbon/factors/factor-schema.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import type { FactorFor } from './factor-form.ts'
import { FactorFacts } from './FactorFacts.tsx'
import { FactorForm } from './FactorForm.tsx'

type Props = {
  /** A factor's ID, or `new`. */
  id: string
  /** For a new factor: what it is for. */
  isFor: FactorFor
  isEditing: boolean
  onEdit: () => void
  /** `isSaved`: there are no unsaved changes to warn about. */
  onClose: (isSaved: boolean) => void
  /** Opens another factor: the added one, or the new version of this one. */
  onShow: (id: string) => void
}

const removeFactor = send(factors.remove)

/** Shows one factor, or the form of a custom factor. */
export function FactorDrawer({ id, isFor, isEditing, onEdit, onClose, onShow }: Props) {
  const isNew = id === 'new'
  const load = useLoad({
    ...query(factors.get, { id }),
    enabled: !isNew,
    gcTime: 0,
  })
  const { data } = load
  const close = () => onClose(false)
  if (isNew) {
    return (
      <FormDrawer
        title="New emission factor"
        about="Custom factors take precedence over the library"
        size={640}
        onClose={close}
      >
        <FactorForm factor={null} isFor={isFor} onClose={onClose} onSaved={onShow} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      title={data?.name ?? 'Emission factor'}
      about={data && <bdi>{describe(data)}</bdi>}
      size={640}
      onClose={close}
    >
      <Loaded query={load} what="this factor" shape="spinner">
        {(loaded) => (
          <>
            {isEditing && loaded.origin === 'own' && (
              <FactorForm key={loaded.id} factor={loaded} onClose={onClose} onSaved={onShow} />
            )}
            {!(isEditing && loaded.origin === 'own') && (
              <>
                <FactorFacts factor={loaded} />
                {loaded.origin === 'own' && loaded.supersededBy === null && (
                  <CustomFactorActions factor={loaded} onEdit={onEdit} onClose={onClose} />
                )}
              </>
            )}
          </>
        )}
      </Loaded>
    </FormDrawer>
  )
}

type ToolProps = { factor: Factor } & Pick<Props, 'onEdit' | 'onClose'>

function CustomFactorActions({ factor, onEdit, onClose }: ToolProps) {
  const remove = useMutation({ mutationFn: removeFactor })
  async function confirmRemoval() {
    const done = await askToRemove({
      read: factors.get,
      shown: factor,
      thing: 'this factor',
      question: {
        title: `Delete ${factor.name}?`,
        text: `It will no longer be used${factor.replaces.length === 0 ? '' : ', nor will its earlier versions'}. This can't be undone.`,
        confirm: 'Delete factor',
      },
      run: ({ id, version }) => remove.mutateAsync({ id, version }),
    })
    if (done === null) return
    if (done !== 'gone') toast('Emission factor deleted', factor.name)
    onClose(true)
  }
  return (
    <div className="fc-form-footer">
      <Action
        for={factors.remove}
        variant="subtle"
        className="fc-quiet-danger"
        disabled={remove.isPending}
        onClick={() => void confirmRemoval()}
      >
        Delete factor
      </Action>
      <span className="fc-grow" />
      <Button variant="default" onClick={() => onClose(false)}>
        Close
      </Button>
      <Action for={factors.update} onClick={onEdit}>
        Edit factor
      </Action>
    </div>
  )
}

function describe({ publisher, edition, category }: Factor): string {
  return `${category} \u00b7 ${publisher}, ${edition}`
}
