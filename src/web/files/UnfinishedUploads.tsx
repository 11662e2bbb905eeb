import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MEDIA_CONTAINER } from '#contract/files/files.ts'
import { type LargeUpload, largeUploads } from '#contract/files/large-uploads.ts'
import { call } from '#web/api/client.ts'
import { query, send } from '#web/api/query.ts'
import { useMutation } from '#web/api/mutation.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { isUploadOf, readSending } from '#web/ui/files/media/send-in-parts.ts'
import { enqueueUpload, isOfThisVisit, useUploads } from '#web/ui/files/media/uploads.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'

const cancel = send(largeUploads.cancel)

/** Without those that another tab is sending. */
async function readUnfinished(): Promise<LargeUpload[]> {
  const sending = await readSending()
  const all = await call(largeUploads.list, { container: MEDIA_CONTAINER })
  return all.filter(({ id }) => !sending.includes(id))
}

/** The user's uploads that broke off with their page. Each goes on when the same file is chosen again. */
export function UnfinishedUploads() {
  const { data = [] } = useQuery({
    ...query(largeUploads.list, { container: MEDIA_CONTAINER }),
    queryFn: readUnfinished,
  })
  const here = useUploads()
  const left = data.filter(
    (one) =>
      one.received > 0 &&
      !isOfThisVisit(one.id) &&
      !here.some(({ file, folder }) => isUploadOf(one, file, folder)),
  )
  if (left.length === 0) return null
  return (
    <Stack
      component="section"
      aria-label="Unfinished uploads"
      gap={8}
      px="var(--fc-gutter)"
      py={8}
      mah={200}
      style={{ overflow: 'auto', flex: 'none' }}
    >
      {left.map((one) => (
        <Unfinished key={one.id} one={one} />
      ))}
    </Stack>
  )
}

function Unfinished({ one }: { one: LargeUpload }) {
  const discard = useMutation({ mutationFn: cancel, onError: (failure) => showError(failure) })
  function goOn(file: File | null) {
    if (file === null) return
    if (isUploadOf(one, file, one.path)) enqueueUpload([file], one.path)
    else toast(`${file.name} is another file`, `Choose ${one.name} as it was when its upload began.`)
  }
  return (
    <Group gap={8}>
      <Text fz={13} flex="1 1 240px">
        <bdi>{one.name}</bdi>
        {` was uploaded up to ${formatBytes(one.received)} of ${formatBytes(one.bytes)}. Choose the same file to go on.`}
      </Text>
      <Group gap={8} wrap="nowrap">
        <FileButton onChange={goOn}>
          {({ onClick }) => (
            <Action
              for={largeUploads.part}
              variant="default"
              onClick={onClick}
              aria-label={`Choose ${one.name} again`}
            >
              Choose file
            </Action>
          )}
        </FileButton>
        <Button
          variant="subtle"
          aria-label={`Discard the upload of ${one.name}`}
          onClick={() => discard.mutate({ id: one.id })}
        >
          Discard
        </Button>
      </Group>
    </Group>
  )
}
