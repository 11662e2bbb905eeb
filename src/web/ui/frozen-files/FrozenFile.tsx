import { Code, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconShieldCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { FileEndpoint } from '#web/api/download.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { formatMoment } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import type { Endpoint } from '#contract/endpoint.ts'

const ICON = { size: 16, 'aria-hidden': true } as const

type Props<I extends z.ZodType> = {
  file: { sha256: string; size: number; madeBy: string | null; madeAt: string }
  /** What it is: "Approved". */
  title: ReactNode
  /** In a sentence or as a task: "Approval of Carbon 2025". */
  name: string
  download: FileEndpoint<I>
  input: z.input<I>
  verify: Endpoint
  onVerify: () => void
  children?: ReactNode
}

/** A frozen file with its SHA-256, to download and to verify. */
export function FrozenFile<I extends z.ZodType>(props: Props<I>) {
  const { file, title, name, download, input, verify, onVerify, children } = props
  return (
    <Stack gap={4}>
      <Group gap={8} justify="space-between" align="start">
        <Stack gap={0}>
          <Text fw={600} fz={14}>
            <bdi>{title}</bdi>
          </Text>
          <Text fz={13} c="var(--fc-ink-soft)">
            <bdi>
              {file.madeBy === null ? '' : `${file.madeBy}, `}
              {formatMoment(file.madeAt)}
            </bdi>
          </Text>
        </Stack>
        <Group gap={8}>
          <Action
            for={download}
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload {...ICON} />}
            aria-label={`Download: ${name}`}
            onClick={() => void fetchFile(download, input, name).catch(showError)}
          >
            Download ({formatBytes(file.size)})
          </Action>
          <Action
            for={verify}
            size="compact-sm"
            variant="default"
            leftSection={<IconShieldCheck {...ICON} />}
            aria-label={`Verify: ${name}`}
            onClick={onVerify}
          >
            Verify
          </Action>
        </Group>
      </Group>
      {children}
      <Text fz={12} c="var(--fc-ink-soft)">
        SHA-256{' '}
        <Code fz={11} bg="transparent" p={0} style={{ overflowWrap: 'anywhere' }}>
          {file.sha256}
        </Code>
      </Text>
    </Stack>
  )
}
