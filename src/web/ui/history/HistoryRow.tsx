import { Group, Text } from '@mantine/core'
import { HistoryButtons } from './HistoryButtons.tsx'
import type { RecordSteps } from './use-record-history.ts'

/** Undo and redo above what they change, with what the last step was. */
export function HistoryRow({ steps: { undo, redo, announcement } }: { steps: RecordSteps }) {
  return (
    <Group gap={4} wrap="nowrap">
      <HistoryButtons undo={undo} redo={redo} />
      <Text component="output" size="sm" c="dimmed" ms={8} miw={0}>
        {announcement}
      </Text>
    </Group>
  )
}
