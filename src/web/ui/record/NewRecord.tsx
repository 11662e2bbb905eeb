import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { capitalize } from '#contract/capitalize.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { fieldSentences } from '#contract/field-sentences.ts'
import type { Labels } from './differences.ts'
import { RecordForm } from './RecordForm.tsx'
import { type RecordFormState, useRecordForm, type Versioned } from './use-record-form.ts'

type Props<Values, I extends z.ZodType, Added> = {
  /** "form": used in the title, the button and the notice. */
  noun: string
  about: string
  /** Its permission locks the form. */
  endpoint: Endpoint<I, z.ZodType<Added>>
  blank: Values
  labels: Labels<Values>
  /** The values as input of the endpoint, whose messages are shown at the fields. */
  toInput: (values: Values) => z.input<I>
  add: (values: Values) => Promise<Added>
  /** Opens it. `isTyping`: more was typed meanwhile, for the fields that it has too. */
  onAdded: (added: Added, meanwhile: { isTyping: boolean }) => void
  /** The fields of the form that opens with it, which takes what is typed while it is added. Without, the fields are locked meanwhile. */
  opens?: { get: Endpoint; labels: Readonly<Record<string, string>> }
  onClose: () => void
  children: (record: RecordFormState<Values, Added>) => ReactNode
}

/** Asks what a new record needs, adds it and opens it. Everything else is entered there. */
export function NewRecord<
  Values extends Record<string, unknown>,
  I extends z.ZodType,
  Added extends Versioned & { id: string; name: string },
>(props: Props<Values, I, Added>) {
  const { noun, about, endpoint, blank, labels, toInput, add, onAdded, opens, onClose, children } = props
  const [isAdded, setAdded] = useState(false)
  const record = useRecordForm<Values, Added>({
    record: null,
    blank,
    toValues: () => blank,
    labels,
    schema: endpoint.output,
    endpoint,
    check: (values) => {
      const { error } = endpoint.input.safeParse(toInput(values))
      return error ? fieldSentences(error) : {}
    },
    save: add,
    ...(opens && { opens: opens.labels }),
    // It opens without a pause, in which keys would be lost.
    keep: (added) => opens && queryClient.setQueryData([...keyOf(opens.get), { id: added.id }], added),
    onSaved: (added, meanwhile) => {
      setAdded(true)
      toast(`${capitalize(noun)} added`, added.name)
      onAdded(added, meanwhile)
    },
  })
  return (
    <FormDrawer title={`New ${noun}`} about={about} onClose={onClose}>
      <RecordForm record={record} isBusy={isAdded} isClosing={opens === undefined}>
        <div className="fc-form-fields">{children(record)}</div>
        <FormFooter record={record} for={endpoint} save={`Add ${noun}`} onCancel={onClose} />
      </RecordForm>
    </FormDrawer>
  )
}
