import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { send } from '#web/api/query.ts'
import { yearAfter } from '../inventory-labels.ts'

const copyInventory = send(carbonInventories.copy)

type Props = { inventory: Inventory; onAnswer: (copy: Inventory | null) => void }

/** Asks for the name and period of the next inventory, and adds it as a copy of this one's setup. */
export function CopyForm({ inventory, onAnswer }: Props) {
  const [values, setValues] = useState(() => ({
    name: inventory.name.replace(/\d{4}/, (year) => String(Number(year) + 1)),
    periodStart: yearAfter(inventory.periodStart),
    periodEnd: yearAfter(inventory.periodEnd),
  }))
  const copy = useMutation({ mutationFn: copyInventory, onSuccess: onAnswer })
  const errors = copy.error?.fields ?? {}
  const text = (name: keyof typeof values) => ({
    value: values[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  })
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!copy.isPending) copy.mutate({ id: inventory.id, ...values })
      }}
    >
      <p>
        <bdi>
          Copies facilities, sources and data owners. Activity data and manually selected factors aren&rsquo;t
          copied.
        </bdi>
      </p>
      {copy.error && (
        <p role="alert" className="fc-form-alert">
          <bdi>{copy.error.message}</bdi>
        </p>
      )}
      <TextInput label="Name" {...text('name')} required data-autofocus maxLength={100} autoComplete="off" />
      <div className="fc-carbon-pair">
        <TextInput type="date" label="From" {...text('periodStart')} required />
        <TextInput type="date" label="To" {...text('periodEnd')} required />
      </div>
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={copy.isPending}>
          Copy inventory
        </Button>
      </div>
    </form>
  )
}
