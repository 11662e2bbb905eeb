import { showSize } from '#contract/files/show-size.ts'
import { Button, VisuallyHidden } from '@mantine/core'
import { IconDots, IconFile, IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import type { AnswerEvidence } from '#contract/assessments/targets/answer-evidence.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { download, saveFile } from '#web/api/download.ts'
import { useMutation } from '#web/api/mutation.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { sentenceOf, showCalendarDay, useArea, useParticipantCall } from '../area.ts'
import { EvidenceDialog } from './EvidenceDialog.tsx'
import type { KeptFile } from '#web/assessments/index.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = {
  code: string
  open: OpenQuestionnaire
  /** The files of the answer itself, which the question shows. */
  answered: ReadonlySet<unknown>
  /** It can be changed now. */
  isOpen: boolean
}

/** The files that support an answer: on the server, on their way, and those of an earlier round that are still valid. */
export function EvidenceList({ code, open, answered, isOpen }: Props) {
  const { text, language } = useArea()
  const [edited, setEdited] = useState<AnswerEvidence | null>(null)
  const { record, fileState } = open
  const files = record.evidence.filter(
    ({ id, questionCodes }) => questionCodes.includes(code) && !answered.has(id),
  )
  const kept = fileState.files.filter(({ question }) => question === code)
  const isAsked = files.length > 0 || kept.length > 0 || answered.size > 0
  const offered = record.evidence.filter(
    ({ isFromEarlier, isExpired, questionCodes }) =>
      isFromEarlier && !isExpired && questionCodes.length === 0,
  )
  const mayUse = isOpen && !isAsked && offered.length > 0
  if (files.length === 0 && kept.length === 0 && !mayUse) return null
  return (
    <div className="fc-area-evidence" lang={language}>
      {files.length > 0 && (
        <ul aria-label={text('evidence')}>
          {files.map((file) => (
            <StoredFile
              key={file.id}
              file={file}
              open={open}
              {...(isOpen && { onEdit: () => setEdited(file) })}
            />
          ))}
        </ul>
      )}
      {kept.map((file) => (
        <FileOnItsWay key={file.id} file={file} open={open} />
      ))}
      {mayUse && <OfferedFiles code={code} offered={offered} open={open} />}
      {edited !== null && (
        <EvidenceDialog file={edited} code={code} open={open} onClose={() => setEdited(null)} />
      )}
    </div>
  )
}

type StoredProps = { file: AnswerEvidence; open: OpenQuestionnaire; onEdit?: () => void }

function StoredFile({ file, open: { record }, onEdit }: StoredProps) {
  const { text, language, session, say } = useArea()
  const { id, name, size, validUntil, isExpired } = file
  const get = useMutation({
    mutationFn: async () => {
      const input = { id, targetId: record.targetId }
      const options = { signal: new AbortController().signal, onBytes: () => {}, bearer: session.accessToken }
      saveFile(await download(participantArea.downloadEvidence, input, options))
    },
    onError: (error) => say(sentenceOf(error, text)),
  })
  return (
    <li>
      <span className="fc-area-file">
        <button type="button" onClick={() => get.mutate()}>
          <IconFile size={14} aria-hidden="true" />
          <bdi>{name}</bdi>
          <span className="fc-soft">{showSize(size, language)}</span>
        </button>
        {onEdit !== undefined && (
          <button type="button" onClick={onEdit}>
            <IconDots size={16} aria-hidden="true" />
            <VisuallyHidden>{text('fileOptions', { name })}</VisuallyHidden>
          </button>
        )}
      </span>
      {validUntil !== null && (
        <Status tone={isExpired ? 'bad' : 'mute'} mark={isExpired ? 'alert' : 'check'}>
          {text(isExpired ? 'expiredOn' : 'validUntil', { date: showCalendarDay(validUntil, language) })}
        </Status>
      )}
    </li>
  )
}

/** A file that the server doesn't have yet: it waits, is being sent, or was refused. */
function FileOnItsWay({ file, open: { files, fileState } }: { file: KeptFile; open: OpenQuestionnaire }) {
  const { text, language } = useArea()
  const { id, name, state, message = '' } = file
  const isSending = fileState.sending?.id === id
  return (
    <div className="fc-area-way">
      <span className="fc-area-way-name">
        <IconFile size={14} aria-hidden="true" />
        <bdi>{name}</bdi> <span className="fc-soft">{showSize(file.file.size, language)}</span>
      </span>
      <span role={state === 'refused' ? 'alert' : undefined}>
        {state === 'refused' ? (
          <Status tone="bad" mark="cross">
            {text('notSaved', { text: message })}
          </Status>
        ) : (
          <Status tone="warn" mark="wait">
            {isSending ? text('sendingFile', { n: fileState.sending.percent }) : text('onDevice')}
          </Status>
        )}
      </span>
      <span>
        {state === 'refused' && (
          <button
            type="button"
            className="fc-area-link"
            aria-label={`${text('retry')}: ${name}`}
            onClick={() => void files.retryFile(id)}
          >
            {text('retry')}
          </button>
        )}{' '}
        {!isSending && (
          <button
            type="button"
            className="fc-area-link"
            aria-label={`${text('remove')}: ${name}`}
            onClick={() => void files.remove(id)}
          >
            {text('remove')}
          </button>
        )}
      </span>
    </div>
  )
}

type OfferedProps = { code: string; offered: readonly AnswerEvidence[]; open: OpenQuestionnaire }

/** Files of the previous round that are still valid. */
function OfferedFiles({ code, offered, open: { record, refresh } }: OfferedProps) {
  const { text, language, say } = useArea()
  const call = useParticipantCall()
  const use = useMutation({
    mutationFn: (id: string) =>
      call(participantArea.useEvidence, { targetId: record.targetId, id, questionCode: code }),
    onSuccess: refresh,
    onError: (error) => say(sentenceOf(error, text)),
  })
  return (
    <details className="fc-area-comments fc-small">
      <summary>{`${text('fromEarlier')} (${offered.length})`}</summary>
      <ul>
        {offered.map(({ id, name, validUntil }) => (
          <li key={id}>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPaperclip size={14} aria-hidden="true" />}
              loading={use.isPending && use.variables === id}
              onClick={() => use.mutate(id)}
            >
              {text('useFile', { name })}
            </Button>{' '}
            <span className="fc-soft">
              {validUntil !== null && text('validUntil', { date: showCalendarDay(validUntil, language) })}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
