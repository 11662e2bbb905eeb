import { Radio, Select, Stack, TextInput } from '@mantine/core'
import type { Selection } from '#contract/lists/selection.ts'
import { BUYER_DOCUMENTS } from '#contract/pricing/totals/buyer-document.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'

const FORMATS = [
  { value: 'pdf', label: 'PDF, to print' },
  { value: 'html', label: 'Web page, to read on a screen or with a screen reader' },
]

type Props = { selection: Selection; onAnswer: (answer: null) => void }

/** Asks for a document for buyers, and downloads it. Resolves to null. */
export const askForBuyerDocuments = (selection: Selection): Promise<null> =>
  askFor<null>('Documents for buyers', (answer) => (
    <BuyerDocumentsForm selection={selection} onAnswer={answer} />
  ))

function BuyerDocumentsForm({ selection, onAnswer }: Props) {
  const call = useCallForm({
    endpoint: vehiclePrices.documents,
    about: 'buyer documents',
    initial: { kind: 'deal-sheet', format: 'pdf', validUntil: '' },
    check: () => ({}),
    send: ({ kind, format, validUntil }) => {
      const { value, label } = BUYER_DOCUMENTS.find((one) => one.value === kind) ?? BUYER_DOCUMENTS[0]
      return fetchFile(
        vehiclePrices.documents,
        {
          selection,
          kind: value,
          format: format === 'html' ? 'html' : 'pdf',
          validUntil: value === 'deal-sheet' && validUntil !== '' ? validUntil : null,
        },
        label,
      )
    },
    onDone: () => onAnswer(null),
  })
  const { kind } = call.values
  return (
    <CallForm call={call} confirm="Download" onCancel={() => onAnswer(null)}>
      <Radio.Group
        label="Document"
        value={kind}
        onChange={(value) => call.change({ kind: value })}
        error={call.errors['kind']}
      >
        <Stack gap="xs" mt="xs">
          {BUYER_DOCUMENTS.map(({ value, label, about }) => (
            <Radio key={value} value={value} label={label} description={about} />
          ))}
        </Stack>
      </Radio.Group>
      {kind === 'deal-sheet' && (
        <TextInput
          {...call.field('validUntil')}
          type="date"
          label="Valid through"
          description={
            <bdi>
              The last day on which the buyer can take this price. Empty: today only. A sheet ends earlier if
              its price is due to change.
            </bdi>
          }
        />
      )}
      <Select
        label="Format"
        data={FORMATS}
        value={call.values.format}
        allowDeselect={false}
        onChange={(value) => call.change({ format: value ?? 'pdf' })}
      />
    </CallForm>
  )
}
