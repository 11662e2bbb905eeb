import { Checkbox, Paper, Stack, Text } from '@mantine/core'
import type { ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportField, ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { type Fact, FactList } from '#web/ui/record/Facts.tsx'

type Props = { preview: ImportPreview; onMapping: (mapping: ImportMapping) => void }

/** Which columns the file was read from, with a line as an example. A new layout is confirmed before its first import. */
export function ImportLayout({ preview, onMapping }: Props) {
  const { layout, mapping } = preview
  const isGiven = mapping.answers['layout'] === layout.key
  const isAsked = isGiven || !layout.isConfirmed
  const { layout: _, ...others } = mapping.answers
  return (
    <Paper component="section" aria-label="Layout of the file" withBorder p={12}>
      <Stack gap={12}>
        <Text component="h3" fw={600}>
          {isAsked ? 'Is the file read correctly?' : 'How the file is read'}
        </Text>
        <FactList facts={factsOf(preview)} />
        {isAsked && (
          <Checkbox
            label="Yes, this is right"
            description={
              isGiven
                ? `${preview.isRemembered ? 'You confirmed this for an earlier file with these columns.' : 'The next file with these columns is read the same way.'} If something is wrong, clear the checkbox and change the column mapping below.`
                : "You haven't imported a file like this one before. The next one is read the same way. If something is wrong, change the column mapping below."
            }
            checked={isGiven}
            onChange={(event) =>
              onMapping({
                ...mapping,
                answers: event.currentTarget.checked ? { ...others, layout: layout.key } : others,
              })
            }
          />
        )}
      </Stack>
    </Paper>
  )
}

function factsOf(preview: ImportPreview): Fact[] {
  const { columns, mapping, unused, facilities, sourceTypes, shown, sheets, sheet, above } = preview
  const named = (place: number | undefined): string | null =>
    place === undefined ? null : `“${columns[place]?.title ?? ''}”`
  const column = (field: ImportField) => named(mapping.columns[field])
  const range = (from: string | null, to: string | null) =>
    from !== null && to !== null ? `${from} to ${to}` : (from ?? to)
  const byDefault = (name: string | undefined) => name && `${name} (the file names none)`
  const facility = byDefault(facilities.find(({ id }) => id === mapping.facilityId)?.name)
  const source = byDefault(sourceTypes.find(({ id }) => id === mapping.sourceType)?.title)
  const quantity = [mapping.columns.quantity, ...mapping.addends].flatMap((place) => named(place) ?? [])
  const otherSheets = sheets.flatMap(({ name, lines }) => (name === sheet || lines === 0 ? [] : [name]))
  const example = shown.find(({ state, amount }) => state === 'ready' && amount !== null)
  return [
    [
      'Sheet',
      sheets.length === 1 && sheet === 'CSV' ? null : sheet,
      otherSheets.length > 0 ? `Not imported: ${otherSheets.join(', ')}` : undefined,
    ],
    ['Above the table', above.join('; '), 'Kept with the import'],
    ['Quantity', quantity.length > 0 ? quantity.join(' + ') : range(column('meterFrom'), column('meterTo'))],
    ['Unit', [...new Set(preview.sums.map(({ unit }) => unit))].join(', '), column('unit') ?? undefined],
    ['Period', range(column('periodStart') ?? column('readDate'), column('periodEnd'))],
    ['Cost', column('cost') ?? 'Not imported'],
    ['Facility', column('facility') ?? facility],
    ['Source', column('source') ?? source],
    ['Not imported', unused.map((place) => named(place)).join(', '), 'Kept with each record'],
    ['Text beside the figures', preview.layout.notes.join('; ')],
    ['Example', example === undefined ? null : describe(example)],
  ]
}

const describe = ({ line, period, amount, cells }: ImportPreview['shown'][number]): string => {
  const days = period === null ? '' : `, ${writeDay(period.first)} to ${writeDay(period.last)}`
  const cost = cells.cost === undefined ? '' : `, cost ${cells.cost}`
  return `Line ${line}${days}: ${showFigure(amount?.quantity ?? '0', 16)} ${amount?.unit ?? ''}${cost}`
}
