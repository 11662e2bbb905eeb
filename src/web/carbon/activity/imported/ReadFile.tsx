import { Button, FileButton, Select } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { type ImportedSheet, importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { parseDate } from '#contract/parsing/parse-date.ts'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { upload } from '#web/api/upload.ts'
import { useHolds } from '#web/session/use-session.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { blockOf, orderOfSheet } from './block-of-sheet.ts'

const ORDERS = ['mdy', 'dmy'] as const

/** "Mar 11, 2025: the month is first". */
function dayIn(order: 'mdy' | 'dmy', text: string): string {
  const day = parseDate(text, { ...localeFormat(), order })
  return `${'value' in day ? writeDay(day.value) : text}: ${order === 'mdy' ? 'the month' : 'the day'} is first`
}

type ReadRequest = { file: File; sheet?: string }
type Props = { inventoryId: string; onBlock: (text: string) => void }

/** Reads a workbook or CSV file and passes its cells on as pasteable text. Asks for the sheet if there are several, and once for the order of its dates if they may be two days. */
export function ReadFile({ inventoryId, onBlock }: Props) {
  const holds = useHolds()
  const [sheetChoice, setSheetChoice] = useState<{ file: File; sheets: ImportedSheet['sheets'] } | null>(null)
  const [unclear, setUnclear] = useState<{ found: ImportedSheet; date: string } | null>(null)
  const reading = useMutation<ImportedSheet, CallFailure, ReadRequest>({
    mutationFn: ({ file, sheet }) =>
      upload(importedTotals.read, { inventoryId, ...(sheet !== undefined && { sheet }) }, [file], {
        signal: new AbortController().signal,
        onSent: () => undefined,
      }),
    onError: (failure) => showError(failure),
    onSuccess: (found, { file, sheet }) => {
      const filled = found.sheets.filter(({ lines }) => lines > 0)
      if (sheet === undefined && filled.length > 1) {
        setSheetChoice({ file, sheets: filled })
        return
      }
      setSheetChoice(null)
      const read = orderOfSheet(found)
      if ('unclear' in read) setUnclear({ found, date: read.unclear })
      else {
        setUnclear(null)
        onBlock(blockOf(found, localeFormat(), read.order))
      }
    },
  })
  return (
    <>
      <FileButton
        accept=".xlsx,.csv,.tsv,.txt,text/csv"
        onChange={(file) => {
          if (file) reading.mutate({ file })
        }}
      >
        {(button) => (
          <Button
            {...button}
            variant="default"
            size="compact-sm"
            loading={reading.isPending}
            disabled={holds(importedTotals.read.allow) !== true}
            leftSection={<IconUpload size={16} aria-hidden="true" />}
          >
            Upload XLSX or CSV
          </Button>
        )}
      </FileButton>
      {sheetChoice && (
        <Select
          aria-label="Sheet"
          placeholder="Choose a sheet"
          size="xs"
          data={sheetChoice.sheets.map(({ name, lines }) => ({
            value: name,
            label: `${name}, ${count(lines, 'line', 'lines')}`,
          }))}
          value={null}
          onChange={(sheet) => {
            if (sheet !== null) reading.mutate({ file: sheetChoice.file, sheet })
          }}
        />
      )}
      {unclear && (
        <Select
          aria-label="Dates of the file"
          placeholder={`Which day is ${unclear.date}?`}
          size="xs"
          data={ORDERS.map((order) => ({ value: order, label: dayIn(order, unclear.date) }))}
          value={null}
          onChange={(chosen) => {
            const order = ORDERS.find((one) => one === chosen)
            if (order === undefined) return
            setUnclear(null)
            onBlock(blockOf(unclear.found, localeFormat(), order))
          }}
        />
      )}
    </>
  )
}
