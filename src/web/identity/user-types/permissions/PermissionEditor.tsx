import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Permission } from '#contract/permissions.ts'
import { CallFailure } from '#web/api/failure.ts'
import { useSession } from '#web/session/use-session.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import type { Versioned } from '#web/ui/record/use-record-form.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import type { Owner } from './explain.ts'
import { type Cells, findChanges, isDifferent, DECLARED, sumUpChanges, toPermissions } from './matrix.ts'
import { PermissionMatrix } from './PermissionMatrix.tsx'
import { useIsOtherCustomer } from './use-is-abroad.ts'
import { StalePermissionsDialog } from './StalePermissionsDialog.tsx'

type Props<Saved> = {
  owner: Owner
  /** Whose they are: "Dealer user", "Luis Ortega". */
  name: string
  /** Whom a change concerns: "41 people", "Luis Ortega". */
  concerned: string
  inherited: Cells
  compared: Cells | null
  onCompare?: (isOn: boolean) => void
  saved: Cells
  version: number
  /** Why nothing can be changed, as a sentence; null where it can. */
  fixed: string | null
  endpoint: Endpoint
  /** Reads the record that a 409 brings along. */
  schema: z.ZodType<Saved>
  save: (permissions: Permission[], version: number) => Promise<Saved>
  /** What is granted now, asked anew. */
  load: () => Promise<Cells>
  /** Puts what was saved, by this person or by another, in place of what was loaded. */
  keep: (saved: Saved, cells: Cells) => void
}

/** Changes begun on what was saved at that time, also when newer answers come in meanwhile. */
type Draft = { wanted: Cells; saved: Cells; version: number }
const NOTHING = { isSuper: false, permissions: [] }

/** A matrix that is changed, saved as one whole set, and settled with whoever saved meanwhile. */
export function PermissionEditor<Saved extends Versioned>(props: Props<Saved>) {
  const { owner, name, concerned, inherited, compared, fixed, endpoint, schema, load, keep } = props
  const { permissions: held } = useSession()
  const isOtherCustomer = useIsOtherCustomer()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [newer, setNewer] = useState<{ current: Saved; theirs: Cells } | null>(null)
  const { saved, version } = draft ?? props
  const wanted = draft?.wanted ?? saved
  const matrix = { inherited, compared, saved, wanted, held: held ?? NOTHING, isOtherCustomer }
  const changes = findChanges(matrix)
  const { release } = useUnsavedGuard(changes.length > 0)

  const save = useMutation({
    mutationFn: (over: number) => props.save(toPermissions(wanted), over),
    onSuccess: (answer) => settle(answer, wanted, 'Permissions saved'),
    onError: refuse,
  })

  function settle(answer: Saved, cells: Cells, title?: string) {
    release()
    keep(answer, cells)
    setDraft(null)
    setNewer(null)
    if (title !== undefined) toast(title, `${concerned}: ${count(changes.length, 'change', 'changes')}`)
  }

  async function refuse(failure: CallFailure): Promise<void> {
    const current = schema.safeParse(failure.current)
    if (failure.status !== 409 || !current.success) return showError(failure)
    try {
      setNewer({ current: current.data, theirs: await load() })
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
            line={`${concerned}: ${sumUpChanges(changes)}`}
            for={endpoint}
            isSaving={save.isPending}
            onSave={() => save.mutate(version)}
            onDiscard={() => setDraft(null)}
          />
        )}
      </PermissionMatrix>
      {newer && (
        <StalePermissionsDialog
          mine={wanted}
          theirs={newer.theirs}
          current={newer.current}
          name={name}
          onClose={() => setNewer(null)}
          onReload={() => settle(newer.current, newer.theirs)}
          onOverwrite={() => {
            setNewer(null)
            save.mutate(newer.current.version)
          }}
        />
      )}
    </>
  )
}
