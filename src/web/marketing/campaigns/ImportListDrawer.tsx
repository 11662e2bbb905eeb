import { Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { importedLists } from '#contract/marketing/campaigns/imported-lists.ts'
import { CallFailure } from '#web/api/failure.ts'
import { upload } from '#web/api/upload.ts'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { NewRecord } from '#web/ui/record/NewRecord.tsx'

const ORDERS = [
  { value: 'mdy', label: 'Month first: 03/11/2025 is March 11' },
  { value: 'dmy', label: 'Day first: 03/11/2025 is November 3' },
] as const
type Values = { name: string; lotId: string; dateOrder: '' | 'mdy' | 'dmy' }
const BLANK: Values = { name: '', lotId: '', dateOrder: '' }
const LABELS = { name: 'Name', lotId: 'Lot', dateOrder: 'Dates in the file' }

const toInput = ({ name, lotId, dateOrder }: Values) => ({
  name,
  lotId,
  ...(dateOrder !== '' && { dateOrder }),
})

type Props = { onClose: () => void; onAdded: (id: string) => void }

/** Uploads a list of people. What is wrong with the file is said at it, and nothing typed is lost. */
export function ImportListDrawer({ onClose, onAdded }: Props) {
  const [file, setFile] = useState<File | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const { choices, search } = useLotNames()
  async function add(values: Values) {
    setWrong(null)
    try {
      return await upload(importedLists.add, toInput(values), file === null ? [] : [file], {
        signal: new AbortController().signal,
        onSent: () => undefined,
      })
    } catch (error) {
      if (error instanceof CallFailure) setWrong(error.fields['files'] ?? null)
      throw error
    }
  }
  return (
    <NewRecord
      noun="imported list"
      about="A CSV or XLSX file with a column named Email"
      endpoint={importedLists.add}
      blank={BLANK}
      labels={LABELS}
      toInput={toInput}
      add={add}
      onAdded={({ id }) => onAdded(id)}
      onClose={onClose}
    >
      {({ field, form: { values }, change, isSaving }) => (
        <>
          <TextInput
            {...field('name')}
            className="fc-wide"
            required
            data-autofocus
            maxLength={100}
            autoComplete="off"
          />
          <Select
            {...field('lotId')}
            value={values.lotId || null}
            onChange={(lotId) => change({ lotId: lotId ?? '' })}
            className="fc-wide"
            data={choices}
            required
            searchable
            onSearchChange={search}
            description={
              <bdi>The store that these people agreed to hear from. Its address is in the emails.</bdi>
            }
          />
          <div className="fc-wide">
            <FileDrop
              text="Drop a CSV or XLSX file here"
              file={file}
              accept=".csv,.xlsx,.txt,.tsv,text/csv"
              isBusy={isSaving}
              onTake={(taken) => {
                setWrong(null)
                setFile(taken)
              }}
            />
            {wrong !== null && (
              <p className="fc-rows-error" role="alert">
                <bdi>{wrong}</bdi>
              </p>
            )}
          </div>
          <Select
            {...field('dateOrder')}
            value={values.dateOrder || null}
            onChange={(chosen) =>
              change({ dateOrder: ORDERS.find(({ value }) => value === chosen)?.value ?? '' })
            }
            className="fc-wide"
            placeholder="As the file shows"
            clearable
            data={ORDERS}
          />
          <Text size="sm" c="dimmed" className="fc-wide">
            More columns that are read: First name, Last name, Consent source, Consent date. People with both
            a source and a date can be mailed. Others get nothing until you ask them. Up to 100,000 rows.
          </Text>
        </>
      )}
    </NewRecord>
  )
}
