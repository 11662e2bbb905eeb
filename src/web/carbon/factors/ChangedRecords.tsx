import { Group, Stack, Text } from '@mantine/core'
import type { ChangeEffect } from '#contract/carbon/factors/change-effect.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'

/** The records whose emissions a change would change, each with its emissions before and after. */
export function ChangedRecords({ affected, records }: Pick<ChangeEffect, 'affected' | 'records'>) {
  return (
    <Stack
      component="ul"
      gap={8}
      mx={0}
      my={12}
      p={0}
      mah={180}
      fz={13}
      style={{ overflowY: 'auto', listStyle: 'none' }}
    >
      {records.map((record) => (
        <Group key={record.recordId} component="li" justify="space-between" wrap="nowrap" gap={12}>
          <Stack gap={0}>
            <bdi>
              {sourceTitle(record)}, {record.facilityName}
            </bdi>
            <bdi className="fc-second">
              {record.inventoryName}, {writeDay(record.periodStart)} to {writeDay(record.periodEnd)}
            </bdi>
          </Stack>
          <Text component="bdi" className="fc-number" fz="inherit" ta="end" flex="none">
            {changeOf(record)}
          </Text>
        </Group>
      ))}
      {affected > records.length && <li>And {(affected - records.length).toLocaleString()} more.</li>}
    </Stack>
  )
}

const changeOf = ({ kg, kgAfter }: ChangeEffect['records'][number]): string => {
  const [before, after] = [kg, kgAfter].map((one) => (one === null ? null : showFigure(one)))
  const unit = ' kg CO2e'
  return `${before ?? 'no result'}${after === null ? unit : ''} → ${after === null ? 'no result' : `${after}${unit}`}`
}
