import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Lot, lots } from '#contract/customers/lots.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/Action.tsx'
import { ask, showError } from '#web/ui/dialogs.tsx'
import { count } from '#web/ui/moment.ts'
import { wantedBy } from '#web/ui/permission-of.ts'
import { useHolds } from '#web/session/use-session.ts'
import { toast } from '#web/ui/toast.tsx'
import { useUnsavedGuard } from '#web/ui/unsaved.ts'
import { BLANK, checkLot, findDifferences, type LotValues, toInput, toValues } from './lot-fields.ts'
import { LotFields } from './LotFields.tsx'
import { StaleLotDialog } from './StaleLotDialog.tsx'

type Props = {
  /** Null for a new one. */
  lot: Lot | null
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
}

const addLot = send(lots.add)
const updateLot = send(lots.update)
const removeLot = send(lots.remove)

/** The form of one lot: saves, deletes, and settles with what somebody else saved meanwhile. */
export function LotForm({ lot, onClose, onCreated }: Props) {
  const [isTried, setIsTried] = useState(false)
  const [current, setCurrent] = useState<Lot | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const initial = lot ? toValues(lot) : BLANK
  const form = useForm<LotValues>({
    initialValues: initial,
    validate: checkLot,
    validateInputOnChange: isTried,
  })
  const [needed] = wantedBy((lot ? lots.update : lots.add).allow)
  const holds = useHolds()
  const isReadOnly = needed !== undefined && holds(needed) !== true
  const changed = findDifferences(form.values, initial).length
  const { release } = useUnsavedGuard(changed > 0)

  const save = useMutation({
    mutationFn: ({ values, version }: { values: LotValues; version: number | undefined }) =>
      lot ? updateLot({ ...toInput(values), id: lot.id, version }) : addLot(toInput(values)),
    onSuccess: async (saved) => {
      release()
      queryClient.setQueryData([...keyOf(lots.get), { id: saved.id }], saved)
      toast(lot ? 'Lot saved' : 'Lot added', `${saved.name}, ${saved.code}`)
      if (!lot) onCreated(saved.id)
      await forgetLists()
    },
    onError: (failure) => {
      const theirs = Lot.safeParse(failure.current)
      if (failure.status === 409 && theirs.success) return setCurrent(theirs.data)
      if (Object.keys(failure.fields).length > 0) return form.setErrors(failure.fields)
      showError(failure)
    },
  })
  const remove = useMutation({
    mutationFn: removeLot,
    onSuccess: async () => {
      release()
      toast('Lot deleted', lot?.name)
      onClose(true)
      await forgetLists()
    },
    onError: (failure) => showError(failure),
  })
  const isBusy = save.isPending || remove.isPending

  function submit() {
    setIsTried(true)
    if (isBusy || isReadOnly) return
    const { hasErrors } = form.validate()
    if (hasErrors) {
      // After React has drawn the errors: the person starts at the first one.
      requestAnimationFrame(() =>
        element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
      )
      return
    }
    save.mutate({ values: form.values, version: lot?.version })
  }

  async function confirmRemoval({ id, code, name }: Lot) {
    const isSure = await ask({
      title: `Delete lot ${code}?`,
      text: `${name} is removed from every list. This cannot be undone.`,
      confirm: 'Delete lot',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }

  useHotkeys([['mod+S', submit]], [])

  return (
    <form
      ref={element}
      className="fc-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <LotFields form={form} isReadOnly={isReadOnly} isNew={lot === null} />
      <div className="fc-form-footer">
        {lot && (
          <Action
            for={lots.remove}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={isBusy}
            onClick={() => void confirmRemoval(lot)}
          >
            Delete lot
          </Action>
        )}
        <span className="fc-grow" />
        <output className="fc-small fc-soft">
          {changed > 0 && `${count(changed, 'field', 'fields')} changed`}
        </output>
        <Button variant="default" onClick={() => onClose(false)}>
          Cancel
        </Button>
        <Action for={lot ? lots.update : lots.add} type="submit" loading={save.isPending}>
          {lot ? 'Save lot' : 'Add lot'}
        </Action>
      </div>
      {current && (
        <StaleLotDialog
          mine={form.values}
          current={current}
          onClose={() => setCurrent(null)}
          onReload={() => {
            release()
            setCurrent(null)
            queryClient.setQueryData([...keyOf(lots.get), { id: current.id }], current)
          }}
          onOverwrite={() => {
            setCurrent(null)
            save.mutate({ values: form.values, version: current.version })
          }}
        />
      )}
    </form>
  )
}

/** What a change of a lot shows in: the lists and the figures of the dashboard. */
async function forgetLists(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(lots.list) }),
    queryClient.invalidateQueries({ queryKey: keyOf(dashboard.get) }),
  ])
}
