import { useState, useSyncExternalStore } from 'react'
import type { AnswerEvidence } from '#contract/assessments/targets/answer-evidence.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { MAX_EVIDENCE_BYTES } from '#contract/carbon/activity/evidence.ts'
import { CallFailure } from '#web/api/failure.ts'
import { newId } from '#web/api/new-id.ts'
import { upload } from '#web/api/upload.ts'
import {
  type Answering,
  toSendFailure,
  type Device,
  type FileParts,
  FileSync,
  after,
} from '#web/assessments/index.ts'
import { useArea } from './area.ts'

type Options = Readonly<{
  targetId: string
  device: Device
  answering: Answering
  refresh: () => Promise<unknown>
}>

/** The files of a questionnaire on their way: kept on this device, and sent one after the other. */
export function useFiles({ targetId, device, answering, refresh }: Options) {
  const { session, onEnded } = useArea()
  const [files] = useState(() => {
    const parts: FileParts<readonly AnswerEvidence[]> = {
      store: device.fileStore,
      async send({ id, question, name, type, file }, { signal, onPercent }) {
        try {
          return await upload(
            participantArea.addEvidence,
            { targetId, questionCode: question, uploadId: id },
            [new File([file], name, { type })],
            {
              signal,
              onSent: (bytes) => onPercent(Math.min(99, Math.floor((bytes / Math.max(1, file.size)) * 100))),
              bearer: session.accessToken,
            },
          )
        } catch (error) {
          if (error instanceof CallFailure && error.status === 401) onEnded()
          throw toSendFailure(error)
        }
      },
      async onStored({ question, isAnswer }, stored) {
        if (isAnswer) await addToAnswer(answering, question, stored)
        await refresh()
      },
      newId,
      random: Math.random,
      after,
    }
    return new FileSync(parts, device.files)
  })
  return { files, fileState: useSyncExternalStore(files.subscribe, files.state) }
}

/** The answer is kept on the device before the file is removed from it: in between, nothing can get lost. */
async function addToAnswer(
  answering: Answering,
  question: string,
  stored: readonly AnswerEvidence[],
): Promise<void> {
  const draft = answering.state().drafts[question]
  const before: readonly unknown[] = Array.isArray(draft) ? draft : []
  const known = new Set(before.map((one) => idOf(one)))
  const added = stored
    .filter(({ id }) => !known.has(id))
    .map(({ id, name, size, type }) => ({ id, name, bytes: size, mediaType: type }))
  if (added.length === 0) return
  answering.change(question, [...before, ...added])
  await answering.sync.keepTyped()
  void answering.sync.flush()
}

/** The ID of a file in an answer. */
export const idOf = (file: unknown): unknown =>
  typeof file === 'object' && file !== null && 'id' in file ? file.id : null

/** Why a file can't be sent, before it is: the key of a text. */
export function faultOfFile({ size }: Pick<File, 'size'>): 'emptyFile' | 'tooLarge' | null {
  if (size === 0) return 'emptyFile'
  return size > MAX_EVIDENCE_BYTES ? 'tooLarge' : null
}
