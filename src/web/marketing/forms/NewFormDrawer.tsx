import { Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { formRecord, forms } from '#contract/marketing/forms/forms.ts'
import { send } from '#web/api/query.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { NewRecord } from '#web/ui/record/NewRecord.tsx'
import { recordForm } from '#web/ui/record/record-form.ts'
import { addressFor, newForm } from './new-form.ts'

const addForm = send(forms.add)
const BLANK = { name: '', key: '', lotId: '' }
const { labels: FORM_LABELS } = recordForm(formRecord)
const LABELS = { name: 'Name', key: 'Address', lotId: 'Lot' }

/** The name, address and lot of a new form. Its questions are a simple template, which the builder opens with. */
export function NewFormDrawer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { choices } = useLotNames()
  return (
    <NewRecord
      noun="form"
      about="Starts with name, email, phone, message and a consent"
      endpoint={forms.add}
      blank={BLANK}
      labels={LABELS}
      toInput={toInput}
      add={(values) => addForm(toInput(values))}
      opens={{ get: forms.get, labels: FORM_LABELS }}
      onAdded={({ id }, { isTyping }) =>
        void navigate({
          to: '/dvp/forms/$id',
          params: { id },
          // Where the same fields are.
          search: isTyping ? { tab: 'settings' } : {},
          ignoreBlocker: true,
        })
      }
      onClose={onClose}
    >
      {({ field, form: { values }, change, isSaving }) => (
        <>
          <TextInput
            {...field('name')}
            className="fc-wide"
            data-autofocus
            required
            maxLength={100}
            autoComplete="off"
            onChange={({ currentTarget: { value: name } }) => {
              const isFollowing = !isSaving && values.key === addressFor(values.name)
              // Until it is edited, the address follows the name.
              change({ name, ...(isFollowing && { key: addressFor(name) }) })
            }}
          />
          <TextInput
            {...field('key')}
            className="fc-wide"
            required
            maxLength={60}
            autoComplete="off"
            description={<bdi>{`The page of the form: /f/${values.key || 'test-drive'}`}</bdi>}
          />
          <Select
            {...field('lotId')}
            value={values.lotId || null}
            onChange={(lotId) => change({ lotId: lotId ?? '' })}
            className="fc-wide"
            data={choices}
            searchable
            clearable
            placeholder="All organizations"
            description={
              <bdi>Receives what visitors send, unless they ask about a vehicle: then its lot does.</bdi>
            }
          />
        </>
      )}
    </NewRecord>
  )
}

const toInput = ({ lotId, ...named }: typeof BLANK) => newForm({ ...named, lotId: lotId || null })
