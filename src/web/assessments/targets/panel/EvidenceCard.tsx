import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { AnswerEvidence } from '#contract/assessments/targets/answer-evidence.ts'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { currentOf } from '#web/ui/record/over-newer.ts'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import type { TargetState } from '../use-target.ts'

const updateEvidence = send(assessmentAnswers.updateEvidence)
const removeEvidence = send(assessmentAnswers.removeEvidence)
const ACCEPT = '.pdf,.png,.jpg,.jpeg,.webp,.heic,.avif,.gif,.xlsx,.docx,.txt,.csv,.eml'

type Questions = Readonly<{ file: AnswerEvidence; change: (codes: readonly string[]) => string[] }>

/** Changes which questions of a target a file supports, also those that someone else changed meanwhile. */
async function changeQuestions(targetId: string, { file, change }: Questions): Promise<AnswerEvidence> {
  const { id, questionCodes } = file
  try {
    return await updateEvidence({
      id,
      targetId,
      questionCodes: change(questionCodes),
      known: { questionCodes },
    })
  } catch (failure) {
    const newer = currentOf(failure, AnswerEvidence)
    if (newer === null) throw failure
    return changeQuestions(targetId, { file: newer, change })
  }
}

type Props = { target: TargetState; code: string; isOpen: boolean }

/** Files that support an answer, with until when they are valid. Files of earlier years can be used again while they are. */
export function EvidenceCard({ target: { record }, code, isOpen }: Props) {
  const [sent, setSent] = useState<File | null>(null)
  const add = useMutation<AnswerEvidence[], CallFailure, readonly File[]>({
    mutationFn: (files) =>
      upload(assessmentAnswers.addEvidence, { targetId: record.id, questionCode: code }, files, {
        signal: new AbortController().signal,
        onSent: () => undefined,
      }),
    onSettled: () => setSent(null),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: keyOf(assessmentTargets.get) }),
  })
  const link = useMutation({
    mutationFn: (questions: Questions) => changeQuestions(record.id, questions),
    onError: (failure: CallFailure) => showError(failure),
  })
  const own = record.evidence.filter(({ questionCodes }) => questionCodes.includes(code))
  const others = record.evidence.filter(
    ({ questionCodes, isExpired }) => !questionCodes.includes(code) && !isExpired,
  )
  if (!isOpen && own.length === 0) return null
  return (
    <section className="fc-target-card" aria-label="Evidence">
      <h3>Evidence</h3>
      {own.map((file) => (
        <EvidenceFile
          key={`${file.id}-${file.version}`}
          file={file}
          record={record}
          code={code}
          isOpen={isOpen}
        />
      ))}
      {isOpen && (
        <>
          <FileDrop
            text="Drop bills, certificates or photos here."
            file={sent}
            accept={ACCEPT}
            isBusy={add.isPending}
            onTakeAll={(files) => {
              setSent(files[0] ?? null)
              add.mutate(files)
            }}
          />
          {add.error && (
            <p className="fc-form-alert" role="alert">
              <bdi>{add.error.message}</bdi>
            </p>
          )}
          {others.length > 0 && (
            <Select
              label="Use an existing file"
              placeholder="Choose"
              searchable
              value={null}
              data={others.map((file) => ({ value: file.id, label: labelOf(file) }))}
              onChange={(id) => {
                const file = others.find((one) => one.id === id)
                if (file !== undefined) link.mutate({ file, change: (codes) => [...codes, code] })
              }}
            />
          )}
        </>
      )}
    </section>
  )
}

function labelOf({ name, isFromEarlier, validUntil }: AnswerEvidence): string {
  if (!isFromEarlier) return name
  return `${name} (earlier${validUntil === null ? '' : `, valid until ${formatDay(`${validUntil}T00:00`)}`})`
}

type FileProps = { file: AnswerEvidence; record: TargetState['record']; code: string; isOpen: boolean }

function EvidenceFile({ file, record, code, isOpen }: FileProps) {
  const [isEditing, setEditing] = useState(false)
  const { id, name, size, validUntil, isExpired, pages, isFromEarlier, questionCodes } = file
  const unlink = useMutation({
    mutationFn: () =>
      changeQuestions(record.id, { file, change: (codes) => codes.filter((one) => one !== code) }),
    onError: (failure: CallFailure) => showError(failure),
  })
  const remove = useMutation({
    mutationFn: removeEvidence,
    onError: (failure: CallFailure) => showError(failure),
  })
  async function removeFile() {
    if (isFromEarlier || questionCodes.some((one) => one !== code)) return unlink.mutate()
    const isSure = await ask({
      title: `Remove ${name}?`,
      text: "The file will be deleted. This can't be undone.",
      confirm: 'Remove file',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }
  const facts = [
    formatBytes(size),
    pages === null ? null : `pages ${pages}`,
    isFromEarlier ? 'from an earlier year' : null,
  ]
  return (
    <div className="fc-target-file">
      <button
        type="button"
        className="fc-link"
        onClick={() => void fetchFile(assessmentAnswers.downloadEvidence, { id }, name).catch(showError)}
      >
        <bdi>{name}</bdi>
      </button>
      <p className="fc-small fc-soft">{facts.filter((one) => one !== null).join(', ')}</p>
      {validUntil !== null && (
        <Status tone={isExpired ? 'bad' : 'good'} mark={isExpired ? 'alert' : 'check'}>
          {isExpired ? 'Expired' : 'Valid until'} {formatDay(`${validUntil}T00:00`)}
        </Status>
      )}
      {isExpired && isOpen && <p className="fc-small">Upload the renewed file, or change its date.</p>}
      {isOpen && !isEditing && (
        <div className="fc-row">
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Edit ${name}`}
            onClick={() => setEditing(true)}
          >
            Edit
          </Button>
          <Action
            for={assessmentAnswers.removeEvidence}
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name}`}
            onClick={() => void removeFile()}
          >
            Remove
          </Action>
        </div>
      )}
      {isEditing && <EvidenceForm file={file} targetId={record.id} onDone={() => setEditing(false)} />}
    </div>
  )
}

const LABELS = {
  periodStart: 'Period from',
  periodEnd: 'Period to',
  validUntil: 'Valid until',
  pages: 'Pages',
}

const toValues = ({ periodStart, periodEnd, validUntil, pages }: AnswerEvidence) => ({
  periodStart: periodStart ?? '',
  periodEnd: periodEnd ?? '',
  validUntil: validUntil ?? '',
  pages: pages ?? '',
})

function EvidenceForm({
  file,
  targetId,
  onDone,
}: {
  file: AnswerEvidence
  targetId: string
  onDone: () => void
}) {
  const call = useCallForm({
    endpoint: assessmentAnswers.updateEvidence,
    about: `${file.id}/${targetId}`,
    initial: toValues(file),
    send: ({ periodStart, periodEnd, validUntil, pages }, newer: AnswerEvidence | null) =>
      updateEvidence({
        id: file.id,
        targetId,
        version: (newer ?? file).version,
        periodStart: periodStart || null,
        periodEnd: periodEnd || null,
        validUntil: validUntil || null,
        pages: pages || null,
      }),
    stale: { thing: 'this file', labels: LABELS, schema: AnswerEvidence, toValues },
    onDone,
  })
  return (
    <CallForm call={call} confirm="Save" onCancel={onDone}>
      <TextInput {...call.field('periodStart')} type="date" label={LABELS.periodStart} />
      <TextInput {...call.field('periodEnd')} type="date" label={LABELS.periodEnd} />
      <TextInput {...call.field('validUntil')} type="date" label={LABELS.validUntil} />
      <TextInput {...call.field('pages')} label={LABELS.pages} placeholder="3-5" maxLength={60} />
    </CallForm>
  )
}
