import { Radio, Stack, Text } from '@mantine/core'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useBulkChange } from './use-bulk-change.ts'

type Props = { selection: Selection; vehicles: number; onAnswer: (job: Job | null) => void }

/** Decides about the prices of the selected vehicles where the feed sent another one than a person had set. */
export function PriceChoice({ selection, vehicles, onAnswer }: Props) {
  const call = useBulkChange({
    name: 'price',
    selection,
    initial: { sourcePrice: '' },
    check: ({ sourcePrice }) => (sourcePrice === '' ? { sourcePrice: 'Choose what to do.' } : {}),
    toChange: ({ sourcePrice }) => ({ sourcePrice: sourcePrice === 'take' ? 'take' : 'keep' }),
    onAnswer,
  })
  return (
    <CallForm
      call={call}
      confirm={`Decide for ${count(vehicles, 'vehicle', 'vehicles')}`}
      onCancel={() => onAnswer(null)}
    >
      <Text size="sm">
        Only vehicles whose price a person set and whose feed has sent another price since are changed.
      </Text>
      <Radio.Group
        label="Price"
        required
        value={call.values.sourcePrice}
        onChange={(sourcePrice) => call.change({ sourcePrice })}
        error={call.errors['sourcePrice']}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="keep"
            data-autofocus
            label="Keep your price"
            description="Until the feed sends another one."
          />
          <Radio
            value="take"
            label="Take the feed price"
            description="Later changes in the feed apply again, too."
          />
        </Stack>
      </Radio.Group>
    </CallForm>
  )
}
