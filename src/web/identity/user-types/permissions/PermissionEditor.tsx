import { useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Permission } from '#contract/permissions.ts'
import { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { useSession } from '#web/session/use-session.ts'
import { showError, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { mergeChanges } from '#web/ui/record/merge-changes.ts'
import type { Versioned } from '#web/ui/record/use-record-form.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import type { Owner } from './explain.ts'
import { type Cells, findChanges, isDifferent, DECLARED, sumUpChanges, toPermissions } from './matrix.ts'
import { PermissionMatrix } from './PermissionMatrix.tsx'
import { useIsOtherCustomer } from './use-is-other-customer.ts'
import { StalePermissionsDialog } from './StalePermissionsDialog.tsx'

type Props<Saved> = {
  owner: Owner
  /** Name of the user type or user: "Dealer user", "Luis Ortega". */
  name: string
  /** Who is affected by a change: "41 users", "Luis Ortega". */
  affected: string
  inherited: Cells
  compared: Cells | null
  onCompare?: (isOn: boolean) => void
  saved: Cells
  version: number
  /** Why the matrix is read-only, as a sentence; null if it isn't. */
  fixed: string | null
  endpoint: Endpoint
  /** Parses the record in a 409 response. */
  schema: z.ZodType<Saved>
  save: (permissions: Permission[], version: number) => Promise<Saved>
  /** Fetches the current permissions. */
  load: () => Promise<Cells>
  /** Replaces the loaded data with what was saved, by this user or another. */
  keep: (saved: Saved, cells: Cells) => void
}

/** Unsaved changes with the saved state they started from, even if newer data has been loaded since. */
type Draft = { wanted: Cells; saved: Cells; version: number }
/** What another user saved, until this one decides. */
type Newer<Saved> = { current: Saved; theirs: Cells; isOpen: boolean }
const NOTHING = { isSuper: false, permissions: [] }

/** An editable matrix, saved as one complete set, with a dialog for conflicts with another user's save. */
export function PermissionEditor<Saved extends Versioned>(props: Props<Saved>) {
  const { owner, name, affected, inherited, compared, fixed, endpoint, schema, load, keep } = props
  const { permissions: held } = useSession()
  const isOtherCustomer = useIsOtherCustomer()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [newer, setNewer] = useState<Newer<Saved> | null>(null)
  const { saved, version } = draft ?? props
  const wanted = draft?.wanted ?? saved
  const matrix = { inherited, compared, saved, wanted, held: held ?? NOTHING, isOtherCustomer }
  const changes = findChanges(matrix)
  const { release } = useUnsavedGuard(changes.length > 0)

  const save = useMutation({
    mutationFn: ({ cells, over }: { cells: Cells; over: number }) => props.save(toPermissions(cells), over),
    onSuccess: (answer, { cells }) => showSaved(answer, cells, 'Permissions saved'),
    onError: refuse,
  })

  function showSaved(answer: Saved, cells: Cells, title?: string) {
    release()
    keep(answer, cells)
    setDraft(null)
    setNewer(null)
    if (title !== undefined) toast(title, `${affected}: ${count(changes.length, 'change', 'changes')}`)
  }

  async function refuse(failure: CallFailure): Promise<void> {
    const current = schema.safeParse(failure.current)
    if (failure.status === 404)
      return showNotice(`${name} was deleted in the meantime`, <p>The permissions can't be saved anymore.</p>)
    if (failure.status !== 409 || !current.success) return showError(failure)
    try {
      const theirs = await load()
      // If they saved the same, there is nothing to decide.
      if (findChanges({ saved: theirs, wanted: mergeCells({ saved, wanted, theirs }) }).length === 0)
        return showSaved(current.data, theirs, 'Permissions saved')
      return setNewer({ current: current.data, theirs, isOpen: true })
    } catch (later) {
      if (!(later instanceof CallFailure)) throw later
      showError(later)
    }
  }

  function change(next: Cells) {
    setDraft({ wanted: next, saved, version })
  }

  const differences = DECLARED.filter((one) => isDifferent(matrix, one)).length
  return (
    <>
      {fixed !== null && <Notice>{fixed}</Notice>}
      <PermissionMatrix
        matrix={matrix}
        owner={owner}
        isReadOnly={fixed !== null || held === null || save.isPending}
        onChange={change}
        differences={compared === null ? undefined : differences}
        {...(props.onCompare && { onCompare: props.onCompare })}
      >
        {changes.length > 0 && (
          <SaveBar
            title={count(changes.length, 'permission change', 'permission changes')}
            line={`${affected}: ${sumUpChanges(changes)}`}
            for={endpoint}
            isSaving={save.isPending}
            onSave={() => save.mutate({ cells: wanted, over: version })}
            onDiscard={() => (newer ? showSaved(newer.current, newer.theirs) : setDraft(null))}
            conflict={newer && { change: newer.current, decide: () => setNewer({ ...newer, isOpen: true }) }}
          />
        )}
      </PermissionMatrix>
      {newer?.isOpen && (
        <StalePermissionsDialog
          before={saved}
          mine={wanted}
          theirs={newer.theirs}
          current={newer.current}
          name={name}
          onClose={() => setNewer({ ...newer, isOpen: false })}
          onReload={() => showSaved(newer.current, newer.theirs)}
          onOverwrite={() => {
            const { theirs, current } = newer
            const cells = mergeCells({ saved, wanted, theirs })
            setNewer(null)
            // The next attempt starts here if this one fails.
            setDraft({ wanted: cells, saved: theirs, version: current.version })
            save.mutate({ cells, over: current.version })
          }}
        />
      )}
    </>
  )
}

/** What the other user saved, with the changes of this one. */
function mergeCells({ saved, wanted, theirs }: { saved: Cells; wanted: Cells; theirs: Cells }): Cells {
  return new Set(mergeChanges({ base: [...saved], mine: [...wanted], theirs: [...theirs] }))
}
