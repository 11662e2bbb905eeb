import { showSize } from '#contract/files/show-size.ts'
import { IconFile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { participantArea } from '#contract/assessments/participants/participant-area.ts'
import { download, saveFile } from '#web/api/download.ts'
import { sentenceOf, useArea } from './area.ts'
import type { EvidenceUploads } from './use-evidence-upload.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = { code: string; open: OpenQuestionnaire; uploads: EvidenceUploads }

/** The files that support an answer. */
export function EvidenceList({ code, open: { record }, uploads }: Props) {
  const { text, language, session, say } = useArea()
  const files = record.evidence.filter(({ questionCodes }) => questionCodes.includes(code))
  const get = useMutation({
    mutationFn: async (id: string) => {
      const input = { id, targetId: record.targetId }
      const options = { signal: new AbortController().signal, onBytes: () => {}, bearer: session.accessToken }
      saveFile(await download(participantArea.downloadEvidence, input, options))
    },
    onError: (error) => say(sentenceOf(error, text)),
  })
  const failure = uploads.failure?.code === code ? uploads.failure.sentence : null
  const isBusy = uploads.busy === code
  if (files.length === 0 && failure === null && !isBusy) return null
  return (
    <div className="fc-area-evidence" lang={language}>
      <ul>
        {files.map(({ id, name, size }) => (
          <li key={id}>
            <button type="button" className="fc-area-file" onClick={() => get.mutate(id)}>
              <IconFile size={14} aria-hidden="true" />
              <bdi>{name}</bdi>
              <span className="fc-soft">{showSize(size, language)}</span>
            </button>
          </li>
        ))}
      </ul>
      {isBusy && <output className="fc-small fc-soft">{text('uploading')}</output>}
      {failure !== null && (
        <p role="alert" className="fc-area-problem fc-small">
          {failure}
        </p>
      )}
    </div>
  )
}
