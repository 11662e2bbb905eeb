import { Paper, Stack, Text, Title } from '@mantine/core'
import { type ApprovalFile, inventoryApprovals } from '#contract/carbon/approvals/approvals.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { query, send } from '#web/api/query.ts'
import { tonnes } from '#web/carbon/activity/insight-labels.ts'
import { useHolds } from '#web/session/use-session.ts'
import { FrozenFile } from '#web/ui/frozen-files/FrozenFile.tsx'
import { VerifyForm } from '#web/ui/frozen-files/VerifyForm.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { showNotice } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'

const verifyApproval = send(inventoryApprovals.verify)

/** What was approved, frozen: its total, when and by whom, and its file to download and to verify. Newest first. */
export function ApprovalPanel({ inventory: { id, approvals, status } }: { inventory: Inventory }) {
  const holds = useHolds()
  const mayRead = permissionsFor(inventoryApprovals.list.allow).some((one) => holds(one) === true)
  if (approvals === 0 || !mayRead) return null
  const isOpen = status === 'draft' || status === 'collecting' || status === 'in_review'
  return (
    <Paper
      component="section"
      withBorder
      radius="md"
      p="md"
      mx="var(--fc-gutter)"
      mb="md"
      aria-label="Approvals"
    >
      <Stack gap={12}>
        <div>
          <Title order={2} fz={15}>
            {approvals === 1 ? 'Approved' : `Approved ${approvals} times`}
          </Title>
          <Text fz={13} c="var(--fc-ink-soft)">
            {isOpen ? 'It was reopened since. ' : ''}
            The ledger, factors, records, boundary and names are stored as they were. They are never changed
            or deleted, and deleting a user leaves their name here.
          </Text>
        </div>
        <Loaded query={query(inventoryApprovals.list, { inventory: id })} what="the approvals" shape="fields">
          {({ files, withoutFile }) => (
            <>
              {files.map((file) => (
                <Approval key={file.id} file={file} files={files} />
              ))}
              {withoutFile > 0 && (
                <Text fz={13}>
                  {withoutFile === 1 ? '1 approval is' : `${withoutFile} approvals are`} from before what was
                  approved was stored as a file. Approve the inventory again to store it.
                </Text>
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </Paper>
  )
}

function Approval({ file, files }: { file: ApprovalFile; files: readonly ApprovalFile[] }) {
  const { id, name, location, market, lines, reason } = file
  const verify = () =>
    showNotice(
      'Verify approval',
      <VerifyForm
        id={id}
        name={nameOf(file)}
        nameOf={(other) => nameOf(files.find((one) => one.id === other))}
        check={verifyApproval}
      />,
    )
  return (
    <FrozenFile
      file={file}
      title={`${tonnes(location)} t CO2e location-based, ${tonnes(market)} t CO2e market-based`}
      name={`Approval of ${name}, ${formatDay(file.madeAt)}`}
      download={inventoryApprovals.download}
      input={{ id }}
      verify={inventoryApprovals.verify}
      onVerify={verify}
    >
      <Text fz={13} c="var(--fc-ink-soft)">
        <bdi>
          {lines === 1 ? '1 ledger line' : `${lines.toLocaleString()} ledger lines`}
          {reason === null ? '' : `. ${reason}`}
        </bdi>
      </Text>
    </FrozenFile>
  )
}

const nameOf = (file: ApprovalFile | undefined): string =>
  file === undefined ? 'another approval' : `the approval of ${formatDay(file.madeAt)}`
