import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconDownload } from '@tabler/icons-react'
import { participantArea, type Receipt } from '#contract/participants/area/participant-area.ts'
import type { SnapshotCheck } from '#contract/snapshots.ts'
import { download, saveFile } from '#web/api/download.ts'
import { useMutation } from '#web/api/mutation.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { canHash, hashFile } from '#web/ui/frozen-files/hash-file.ts'
import { sentenceOf, useArea, useParticipantCall } from '../area.ts'
import './receipt.css'

/** The proof of a submission, above the answers that can't be changed anymore. */
export function ReceiptCard({ receipt }: { receipt: Receipt }) {
  const { text, language } = useArea()
  const { number, submittedAt, answered, questions, sha256 } = receipt
  const isWhole = number !== null
  const time = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(submittedAt))
  return (
    <section className="fc-area-receipt" aria-labelledby="receipt" lang={language}>
      <h2 id="receipt">
        <IconCircleCheck size={20} aria-hidden="true" />
        {text(isWhole ? 'receipt' : 'finished')}
      </h2>
      <p>{text(isWhole ? 'receiptText' : 'finishedText')}</p>
      <dl>
        {isWhole && (
          <div>
            <dt>{text('receiptNumber')}</dt>
            <dd className="fc-number">{number}</dd>
          </div>
        )}
        <div>
          <dt>{text('submittedAt')}</dt>
          <dd>{time}</dd>
        </div>
        <div>
          <dt>{text('answered', { n: answered, m: questions })}</dt>
          <dd>
            <bdi>{receipt.targetName}</bdi>
          </dd>
        </div>
        {sha256 !== null && (
          <div>
            <dt>{text('receiptCode')}</dt>
            <dd className="fc-area-hash">{sha256}</dd>
          </div>
        )}
      </dl>
      <PdfButton targetId={receipt.targetId} />
      {sha256 !== null && <VerifySubmission targetId={receipt.targetId} />}
    </section>
  )
}

function PdfButton({ targetId }: { targetId: string }) {
  const { text } = useArea()
  const pdf = usePdf(targetId)
  return (
    <Button
      variant="default"
      loading={pdf.isPending}
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      onClick={() => pdf.mutate()}
    >
      {text('download')}
    </Button>
  )
}

/** Downloads the frozen answers, and compares a file with them. The file stays on the device. */
function VerifySubmission({ targetId }: { targetId: string }) {
  const { session, text, say } = useArea()
  const call = useParticipantCall()
  const onError = (error: Error) => say(sentenceOf(error, text))
  const save = useMutation({
    mutationFn: async () => {
      const options = { signal: new AbortController().signal, onBytes: () => {}, bearer: session.accessToken }
      saveFile(await download(participantArea.submission, { id: targetId }, options))
    },
    onError,
  })
  const verify = useMutation({
    mutationFn: async (file: File) =>
      call(participantArea.verifySubmission, { targetId, sha256: await hashFile(file) }),
    onError,
  })
  return (
    <Stack gap="xs">
      <Text size="sm">{text('verifyText')}</Text>
      <Group gap="xs">
        <Button
          variant="default"
          loading={save.isPending}
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          onClick={() => save.mutate()}
        >
          {text('receiptFile')}
        </Button>
        {canHash() && (
          <FileButton accept=".json" onChange={(file) => file !== null && verify.mutate(file)}>
            {(props) => (
              <Button {...props} variant="default" loading={verify.isPending}>
                {text('verifyFile')}
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      <output>{verify.data && <Verified {...verify.data} />}</output>
    </Stack>
  )
}

function Verified({ isIntact, matchesId }: SnapshotCheck) {
  const { text } = useArea()
  if (!isIntact)
    return (
      <Status tone="bad" mark="cross">
        {text('isDamaged')}
      </Status>
    )
  return matchesId === null ? (
    <Status tone="bad" mark="cross">
      {text('isNotVerified')}
    </Status>
  ) : (
    <Status tone="good" mark="check">
      {text('isVerified')}
    </Status>
  )
}

/** The entry of the menu that downloads the answers. */
export function DownloadAnswers({ targetId }: { targetId: string }) {
  const { text } = useArea()
  const pdf = usePdf(targetId)
  return (
    <button type="button" role="menuitem" className="fc-drop-item" onClick={() => pdf.mutate()}>
      {text('download')}
    </button>
  )
}

function usePdf(targetId: string) {
  const { session, text, say } = useArea()
  return useMutation({
    mutationFn: async () => {
      const options = { signal: new AbortController().signal, onBytes: () => {}, bearer: session.accessToken }
      saveFile(await download(participantArea.pdf, { id: targetId }, options))
    },
    onError: (error) => say(sentenceOf(error, text)),
  })
}
