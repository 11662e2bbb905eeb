import { useState } from 'react'
import { participantArea } from '#contract/assessments/participants/participant-area.ts'
import { upload } from '#web/api/upload.ts'
import { sentenceOf, useArea } from './area.ts'

/** Uploads evidence, question by question. Files need a connection: they aren't kept on the device. */
export function useEvidenceUpload(targetId: string, onAdded: () => Promise<unknown>) {
  const { session, text } = useArea()
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<Readonly<{ code: string; sentence: string }> | null>(null)
  const add = async (code: string, files: readonly File[]) => {
    setBusy(code)
    setFailure(null)
    try {
      const signal = new AbortController().signal
      const options = { signal, onSent: () => {}, bearer: session.accessToken }
      const added = await upload(
        participantArea.addEvidence,
        { targetId, questionCode: code },
        files,
        options,
      )
      await onAdded()
      return added
    } catch (error) {
      setFailure({ code, sentence: sentenceOf(error, text) })
      throw error
    } finally {
      setBusy(null)
    }
  }
  return { busy, failure, add }
}
export type EvidenceUploads = ReturnType<typeof useEvidenceUpload>
