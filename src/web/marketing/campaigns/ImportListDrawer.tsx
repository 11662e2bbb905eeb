import { Button, Select, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { type ImportedList, importedLists } from '#contract/marketing/campaigns/imported-lists.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { upload } from '#web/api/upload.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { count } from '#web/ui/layout/date-format.ts'

const ORDERS = [
  { value: 'mdy', label: 'Month first: 03/11/2025 is March 11' },
  { value: 'dmy', label: 'Day first: 03/11/2025 is November 3' },
] as const
type Order = (typeof ORDERS)[number]['value']

type Props = { onClose: () => void; onAdded: (id: string) => void }

/** A file and what is said about it, and adding it. */
function useListImport(onAdded: Props['onAdded']) {
  const [file, setFile] = useState<File | null>(null)
  const [dateOrder, setDateOrder] = useState<Order | null>(null)
  const form = useForm({ initialValues: { name: '', lotId: '' } })
  const adding = useMutation<ImportedList, CallFailure, File>({
    mutationFn: (chosen) =>
      upload(importedLists.add, { ...form.getValues(), ...(dateOrder !== null && { dateOrder }) }, [chosen], {
        signal: new AbortController().signal,
        onSent: () => undefined,
      }),
    onError: ({ fields }) => form.setErrors({ ...fields }),
    onSuccess: ({ id, name, people }) => {
      toast('List imported', `${name}: ${count(people, 'person', 'people')}`)
      onAdded(id)
    },
  })
  return { file, setFile, dateOrder, setDateOrder, form, adding }
}

/** Uploads a list of people. What is wrong with the file is said here, and nothing typed is lost. */
export function ImportListDrawer({ onClose, onAdded }: Props) {
  const importing = useListImport(onAdded)
  const { file, adding } = importing
  return (
    <FormDrawer
      title="Import a list"
      about="A CSV or XLSX file with a column named Email"
      size={560}
      onClose={onClose}
    >
      <form
        className="fc-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (file !== null && !adding.isPending) adding.mutate(file)
        }}
      >
        <Locked isBusy={adding.isPending}>
          <ListFields importing={importing} />
          <div className="fc-form-footer">
            <span className="fc-grow" />
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Action
              for={importedLists.add}
              type="submit"
              lock={file === null ? 'Choose a file.' : null}
              loading={adding.isPending}
            >
              Import
            </Action>
          </div>
        </Locked>
      </form>
    </FormDrawer>
  )
}

function ListFields({ importing }: { importing: ReturnType<typeof useListImport> }) {
  const { file, setFile, dateOrder, setDateOrder, form, adding } = importing
  const lots = useLotNames()
  return (
    <div className="fc-form-fields">
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        className="fc-wide"
        required
        data-autofocus
        maxLength={100}
        autoComplete="off"
      />
      <Select
        {...form.getInputProps('lotId')}
        label="Lot"
        className="fc-wide"
        data={lots.choices}
        required
        searchable
        onSearchChange={lots.search}
        description="The store that these people agreed to hear from. Its address is in the emails."
      />
      <div className="fc-wide">
        <FileDrop
          text="Drop a CSV or XLSX file here"
          file={file}
          accept=".csv,.xlsx,.txt,.tsv,text/csv"
          isBusy={adding.isPending}
          onTake={setFile}
        />
      </div>
      <Select
        label="Dates in the file"
        className="fc-wide"
        placeholder="As the file shows"
        clearable
        data={ORDERS}
        value={dateOrder}
        onChange={(chosen) => setDateOrder(ORDERS.find(({ value }) => value === chosen)?.value ?? null)}
      />
      <Text size="sm" c="dimmed" className="fc-wide">
        More columns that are read: First name, Last name, Consent source, Consent date. People with both a
        source and a date can be mailed. Others get nothing until you ask them. Up to 100,000 rows.
      </Text>
      {adding.error !== null && (
        <p className="fc-wide fc-rows-error" role="alert">
          <bdi>{adding.error.fields['files'] ?? adding.error.message}</bdi>
        </p>
      )}
    </div>
  )
}
