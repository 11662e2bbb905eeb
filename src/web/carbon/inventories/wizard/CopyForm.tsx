import { TextInput } from '@mantine/core'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { yearAfter } from '../inventory-labels.ts'

const copyInventory = send(carbonInventories.copy)

type Props = { inventory: Inventory; onAnswer: (copy: Inventory | null) => void }

/** Asks for the name and period of the next inventory, and adds it as a copy of this one's setup. */
export function CopyForm({ inventory, onAnswer }: Props) {
  const { id, name, periodStart, periodEnd } = inventory
  const call = useCallForm({
    endpoint: carbonInventories.copy,
    about: id,
    initial: {
      name: name.replace(/\d{4}/, (year) => String(Number(year) + 1)),
      periodStart: yearAfter(periodStart),
      periodEnd: yearAfter(periodEnd),
    },
    send: (values) => copyInventory({ id, ...values }),
    onDone: onAnswer,
  })
  return (
    <CallForm call={call} confirm="Copy inventory" onCancel={() => onAnswer(null)}>
      <p>
        <bdi>
          Copies facilities, sources and data owners. Activity data and manually selected factors aren&rsquo;t
          copied.
        </bdi>
      </p>
      <TextInput
        {...call.field('name')}
        label="Name"
        required
        data-autofocus
        maxLength={100}
        autoComplete="off"
      />
      <div className="fc-carbon-pair">
        <TextInput {...call.field('periodStart')} type="date" label="From" required />
        <TextInput {...call.field('periodEnd')} type="date" label="To" required />
      </div>
    </CallForm>
  )
}
