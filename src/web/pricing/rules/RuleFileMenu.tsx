import { ActionIcon, Menu } from '@mantine/core'
import { IconCalendar, IconChecks, IconDots, IconDownload, IconUpload } from '@tabler/icons-react'
import { ruleFiles } from '#contract/pricing/rules/rule-files.ts'
import { saveFile } from '#web/api/download.ts'
import { call } from '#web/api/client.ts'
import { useMutation } from '#web/api/mutation.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'

type Props = { onCalendar: () => void; onRequests: () => void; onImport: () => void }

/** What concerns all rules: their calendar and their files. */
export function RuleFileMenu({ onCalendar, onRequests, onImport }: Props) {
  const exporting = useMutation({
    mutationFn: () => call(ruleFiles.export, {}),
    onSuccess: (file) => {
      const text = JSON.stringify(file, null, 2)
      saveFile(new File([text], 'pricing-rules.json', { type: 'application/json' }))
    },
    onError: showError,
  })
  const exportingTables = useMutation({
    mutationFn: () => call(ruleFiles.exportLowest, {}),
    onSuccess: (tables) => {
      if (tables.length === 0) toast('No tables', 'No active rule came from a table of minimum prices.')
      for (const { table, text } of tables) saveFile(new File([text], `${table}.csv`, { type: 'text/csv' }))
    },
    onError: showError,
  })
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More for pricing rules">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCalendar size={16} aria-hidden="true" />} onClick={onCalendar}>
          Calendar
        </Menu.Item>
        <Menu.Item leftSection={<IconChecks size={16} aria-hidden="true" />} onClick={onRequests}>
          Approvals
        </Menu.Item>
        <ActionItem
          for={ruleFiles.import}
          leftSection={<IconUpload size={16} aria-hidden="true" />}
          onClick={onImport}
        >
          Import…
        </ActionItem>
        <ActionItem
          for={ruleFiles.export}
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          onClick={() => exporting.mutate()}
        >
          Save all rules as a file
        </ActionItem>
        <ActionItem
          for={ruleFiles.exportLowest}
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          onClick={() => exportingTables.mutate()}
        >
          Save minimum prices as CSV
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}
